"""Files that other programs wrote, and the script that had them written."""
