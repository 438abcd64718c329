// The worker of a live page. It is joined with all that it imports, so that a page can start it from a blob.

import { serve } from "./server.js";

serve(self);
