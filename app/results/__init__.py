"""The results screen: choosing a report, computing it, showing it. Imported by the results view."""
