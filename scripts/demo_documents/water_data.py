"""Figures of Tarn Valley Water, an invented utility, shared by its two reports."""

from __future__ import annotations

from reportlab.lib.colors import HexColor

from scripts.demo_documents.style import Theme

THEME = Theme(HexColor("#0b4f8a"), HexColor("#2aa7b8"), HexColor("#e9f4f9"), size=10.2)
ORGANISATION = "Tarn Valley Water"

# million litres a day, by year
LEAKAGE = {2020: 68.4, 2021: 65.9, 2022: 64.1, 2023: 59.7, 2024: 54.2}
DEMAND = {2020: 312.5, 2021: 318.0, 2022: 326.4, 2023: 321.7, 2024: 319.3}
BURSTS = {2020: 1842, 2021: 1790, 2022: 2084, 2023: 1715, 2024: 1588}

REVENUE = (  # kind, 2024, 2023, GBP million
    ("Household water", 118.4, 109.7),
    ("Household wastewater", 132.6, 124.1),
    ("Business customers", 61.3, 58.8),
    ("Developer services", 9.2, 10.6),
)
COSTS = (
    ("Employment", 58.7, 55.2),
    ("Power", 34.9, 41.3),
    ("Chemicals", 11.6, 12.4),
    ("Abstraction and discharge licences", 8.3, 8.1),
    ("Hired and contracted services", 62.5, 59.6),
    ("Depreciation", 71.8, 67.4),
    ("Sludge and waste", 9.4, 8.8),
)
INVESTMENT = (  # programme, water 2024, wastewater 2024, GBP million
    ("Mains renewal", 38.2, 0.0),
    ("Storm overflows", 0.0, 44.6),
    ("Treatment works", 21.5, 27.3),
    ("Smart meters", 16.4, 0.0),
    ("Reservoir safety", 9.8, 0.0),
    ("Sewer rehabilitation", 0.0, 18.9),
)
RESERVOIRS = (  # name, opened, capacity million litres, fill at end of September 2023, 2024
    ("Upper Tarn", 1894, 14200, 61, 78),
    ("Lower Tarn", 1902, 8650, 58, 74),
    ("Whinmoor", 1931, 21400, 66, 81),
    ("Skelder Beck", 1957, 5300, 49, 63),
    ("Haddon Pike", 1974, 30100, 70, 85),
)
# kilotonnes CO2e
CARBON = (
    ("Process emissions", (38.2, 37.5, 36.1)),
    ("Purchased electricity", (29.4, 21.0, 12.6)),
    ("Fuel and fleet", (7.9, 7.1, 6.2)),
    ("Chemicals", (11.3, 10.8, 9.7)),
    ("Construction", (24.6, 26.9, 28.4)),
)
ENERGY_MIX = (
    ("Biogas, own", 31.0), ("Solar, own", 12.0), ("Hydro, own", 7.0),
    ("Wind, bought", 28.0), ("Grid", 22.0),
)
