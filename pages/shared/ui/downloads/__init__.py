"""Files that users download, and the buttons under a figure that offer them."""
