"""The books of Northfield Rail Group, an invented company, for three years (GBP million)."""

from __future__ import annotations

from dataclasses import dataclass

SEGMENTS = ("Passenger services", "Freight", "Stations and property", "Engineering services")
COSTS = (
    "Staff costs", "Energy and traction", "Track access", "Rolling stock leases",
    "Maintenance", "Depreciation", "Other operating costs",
)
DEPARTMENTS = (
    "Train crew", "Stations", "Engineering", "Control and planning", "Corporate functions",
)
LINES = ("Coastal Line", "Vale Line", "Airport Branch", "Moor Line", "Quayside Loop")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True)
class Year:
    """One financial year; lists follow the constants above, money in GBP million."""

    revenue: tuple[float, ...]
    costs: tuple[float, ...]
    finance: float
    tax: float
    assets: tuple[float, ...]  # property, intangibles, inventories, receivables, cash
    debts: tuple[float, ...]  # borrowings, leases, payables, provisions
    capex: float
    dividends: float
    dividend_pence: float
    staff: tuple[int, ...]
    journeys: float  # million
    tonnes: float  # million
    punctual: tuple[float, ...]  # per cent by month
    line_punctual: tuple[float, ...]
    line_journeys: tuple[float, ...]
    satisfaction: tuple[int, ...]
    signals_passed: int
    injuries: float  # lost-time injuries per million hours
    renewable: float  # per cent of traction energy
    carbon: float  # grams CO2e per passenger-km

    @property
    def turnover(self) -> float:
        """Revenue of all segments."""
        return sum(self.revenue)

    @property
    def cost(self) -> float:
        """Operating costs."""
        return sum(self.costs)

    @property
    def profit(self) -> float:
        """Operating profit."""
        return self.turnover - self.cost

    @property
    def before_tax(self) -> float:
        """Profit before tax."""
        return self.profit - self.finance

    @property
    def after_tax(self) -> float:
        """Profit for the year."""
        return self.before_tax - self.tax

    @property
    def equity(self) -> float:
        """Assets less debts."""
        return sum(self.assets) - sum(self.debts)

    @property
    def punctuality(self) -> float:
        """Mean of the months, per cent."""
        return round(sum(self.punctual) / 12, 1)

    @property
    def employees(self) -> int:
        """Employees at year end."""
        return sum(self.staff)


YEARS = {
    2022: Year(
        (612.4, 238.1, 97.3, 54.6), (341.2, 148.6, 132.4, 118.9, 91.7, 74.3, 41.5), 18.4, 6.9,
        (1240.6, 48.2, 33.1, 121.7, 88.5), (684.0, 212.4, 168.3, 41.2), 138.7, 14.0, 7.0,
        (2140, 1312, 1876, 418, 604), 61.8, 14.2,
        (81.2, 80.4, 83.9, 85.6, 87.1, 86.8, 86.2, 85.9, 85.0, 83.2, 81.4, 82.5),
        (85.9, 82.7, 90.2, 79.4, 86.1), (22.4, 15.1, 9.7, 5.2, 9.4), (79, 76, 84, 74, 80),
        31, 3.42, 58.0, 34.6,
    ),
    2023: Year(
        (668.9, 251.7, 104.8, 61.2), (362.7, 139.2, 138.8, 124.6, 97.4, 79.1, 43.0), 21.6, 17.2,
        (1312.9, 46.9, 34.8, 128.4, 102.6), (701.5, 205.8, 174.9, 44.7), 151.4, 18.2, 9.1,
        (2205, 1298, 1934, 431, 612), 68.4, 15.1,
        (84.7, 85.2, 87.3, 89.0, 90.4, 89.6, 88.8, 88.5, 88.1, 86.6, 85.8, 87.2),
        (88.9, 86.4, 93.1, 82.8, 89.5), (24.6, 16.3, 11.2, 5.6, 10.7), (82, 79, 86, 77, 83),
        26, 2.97, 66.0, 31.2,
    ),
    2024: Year(
        (731.5, 243.9, 118.6, 72.4), (389.5, 127.8, 146.3, 131.2, 108.9, 84.6, 47.7), 24.1, 23.8,
        (1398.2, 51.3, 37.2, 139.6, 117.9), (742.0, 198.7, 186.4, 39.9), 168.2, 24.4, 12.2,
        (2291, 1274, 2043, 447, 598), 74.9, 14.6,
        (88.1, 88.6, 90.2, 91.7, 92.6, 91.9, 91.4, 91.0, 90.6, 89.3, 88.4, 89.8),
        (91.7, 88.2, 94.6, 86.3, 91.9), (26.8, 17.4, 12.9, 5.9, 11.9), (84, 81, 88, 80, 85),
        19, 2.41, 74.0, 27.8,
    ),
}

# class, kind, units, cars per unit, built, depot, traction, power kW, seats, next overhaul
FLEET = {
    2023: (
        ("Class 41", "Suburban electric", 48, 4, 2009, "Aldermoor", "25 kV AC", 1500, 268, 2026),
        ("Class 43", "Regional electric", 36, 5, 2014, "Aldermoor", "25 kV AC", 2200, 342, 2028),
        ("Class 52", "Airport express", 14, 4, 2019, "Kingsholt", "25 kV AC", 2600, 216, 2031),
        ("Class 27", "Diesel railcar", 31, 2, 1998, "Brackwater", "Diesel", 640, 126, 2024),
        ("Class 66N", "Freight locomotive", 22, 1, 2006, "Fenwick Yard", "Diesel", 2420, 0, 2025),
        ("Class 90N", "Freight locomotive", 11, 1, 2016, "Fenwick Yard", "25 kV AC", 4200, 0, 2027),
    ),
    2024: (
        ("Class 41", "Suburban electric", 48, 4, 2009, "Aldermoor", "25 kV AC", 1500, 268, 2026),
        ("Class 43", "Regional electric", 40, 5, 2014, "Aldermoor", "25 kV AC", 2200, 342, 2028),
        ("Class 52", "Airport express", 16, 4, 2019, "Kingsholt", "25 kV AC", 2600, 216, 2031),
        ("Class 61", "Battery hybrid", 12, 3, 2024, "Brackwater", "Battery", 1800, 204, 2034),
        ("Class 27", "Diesel railcar", 19, 2, 1998, "Brackwater", "Diesel", 640, 126, 2027),
        ("Class 66N", "Freight locomotive", 20, 1, 2006, "Fenwick Yard", "Diesel", 2420, 0, 2029),
        ("Class 90N", "Freight locomotive", 13, 1, 2016, "Fenwick Yard", "25 kV AC", 4200, 0, 2027),
    ),
}

# name, role, joined, attended, held
BOARD = {
    2023: (
        ("Sir Aldous Fenhallow", "Chair", 2015, 8, 8),
        ("Imogen Tressider", "Chief Executive", 2019, 8, 8),
        ("Rafe Okonjo-Lind", "Chief Financial Officer", 2020, 8, 8),
        ("Marguerite Vaulx", "Senior independent director", 2017, 7, 8),
        ("Teodor Haskell-Brandt", "Chair, safety committee", 2018, 8, 8),
        ("Priyanka Ostrow", "Chair, remuneration committee", 2021, 6, 8),
        ("Callum Dreghorn-Way", "Employee director", 2022, 8, 8),
    ),
    2024: (
        ("Marguerite Vaulx", "Chair", 2017, 9, 9),
        ("Imogen Tressider", "Chief Executive", 2019, 9, 9),
        ("Rafe Okonjo-Lind", "Chief Financial Officer", 2020, 8, 9),
        ("Teodor Haskell-Brandt", "Senior independent director", 2018, 9, 9),
        ("Solveig Amberley", "Chair, safety committee", 2024, 6, 6),
        ("Priyanka Ostrow", "Chair, remuneration committee", 2021, 9, 9),
        ("Callum Dreghorn-Way", "Employee director", 2022, 7, 9),
    ),
}

# GBP thousand: salary, benefits, pension, annual bonus, long-term award
PAY = {
    2022: {"Imogen Tressider": (540, 21, 54, 182, 96), "Rafe Okonjo-Lind": (385, 17, 39, 121, 58)},
    2023: {
        "Imogen Tressider": (556, 22, 56, 264, 131), "Rafe Okonjo-Lind": (397, 18, 40, 176, 84),
    },
    2024: {
        "Imogen Tressider": (573, 23, 57, 311, 178), "Rafe Okonjo-Lind": (409, 18, 41, 208, 112),
    },
}
