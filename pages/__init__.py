"""What a person sees: a folder for each page, and what pages share."""
