"""What several measurements use: a browser, a server, a clock and the rows of the table."""
