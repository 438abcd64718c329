"""Parts that several measurements share: a browser, a server, a clock and the rows of the table."""
