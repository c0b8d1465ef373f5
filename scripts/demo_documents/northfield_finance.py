"""Financial review and statements of Northfield Rail Group's annual report."""

from __future__ import annotations

from reportlab.platypus import Flowable, PageBreak, Paragraph

from scripts.demo_documents.blocks import footnotes, h1, paras, side_by_side, table
from scripts.demo_documents.book import Book, Mark, marked
from scripts.demo_documents.charts import bars, ring
from scripts.demo_documents.northfield_data import COSTS, SEGMENTS, YEARS
from scripts.demo_documents.northfield_text import PROJECTS
from scripts.demo_documents.style import change, num

_ASSETS = (
    "Property, plant and equipment", "Intangible assets", "Inventories",
    "Trade and other receivables", "Cash and cash equivalents",
)
_DEBTS = ("Borrowings", "Lease liabilities", "Trade and other payables", "Provisions")


def review(book: Book, year: int) -> list[Flowable]:
    """The financial review: revenue by segment, cost mix, capital projects."""
    now, before = YEARS[year], YEARS[year - 1]
    half = (book.body_width - 14) / 2
    segments = [
        [name, num(now.revenue[i]), num(before.revenue[i]),
         change(now.revenue[i], before.revenue[i])] for i, name in enumerate(SEGMENTS)
    ]
    segments.append(["Revenue", num(now.turnover), num(before.turnover),
                     change(now.turnover, before.turnover)])
    energy = COSTS.index("Energy and traction")
    short = ("Passenger", "Freight", "Property", "Engineering")
    mix = [
        ("Staff", now.costs[0]), ("Energy", now.costs[1]), ("Track access", now.costs[2]),
        ("Leases", now.costs[3]), ("Maintenance", now.costs[4]),
        ("Depreciation", now.costs[5]), ("Other", now.costs[6]),
    ]
    projects = PROJECTS[year]
    body = [[name, num(past), num(spent), num(past + spent), num(total), opens]
            for name, past, spent, total, opens in projects]
    body.append(["All major projects", *(num(sum(row[i] for row in projects)) for i in (1, 2)),
                 num(sum(row[1] + row[2] for row in projects)),
                 num(sum(row[3] for row in projects)), ""])
    return [
        PageBreak(), *h1(book, "Financial review"),
        *paras(
            book,
            f"Revenue rose by {change(now.turnover, before.turnover)[1:]} to £{num(now.turnover)} "
            f"million. Operating profit was £{num(now.profit)} million ({year - 1}: "
            f"£{num(before.profit)} million), a margin of "
            f"{now.profit / now.turnover * 100:.1f} per cent. Energy and traction cost "
            f"£{num(before.costs[energy] - now.costs[energy])} million less than in the year "
            "before.",
        ),
        marked("segments", table(
            book, ["Revenue by segment, £m", str(year), str(year - 1), "Change"], segments,
            [2.4, 1, 1, 1], totals=[-1])),
        side_by_side(
            book,
            [Paragraph("Revenue by segment, £m", book.style["caption"]),
             bars(book.theme, short, [now.revenue, before.revenue], [str(year), str(year - 1)],
                  size=(half, 165), high=800, step=200, labels=None)],
            [Paragraph("Where each pound of cost went", book.style["caption"]),
             ring(book.theme, [(n, v / now.cost * 100) for n, v in mix], size=(half, 165),
                  centre=f"£{now.cost:,.0f}m")],
        ),
        marked(
            "projects",
            Paragraph("Major capital projects", book.style["h2"]),
            table(book, ["Project, £m", f"To end of {year - 1}", f"Spent in {year}", "To date",
                         "Budget", "Opening"], body, [2.3, 1, 1, 0.9, 0.9, 1.4], totals=[-1]),
        ),
        *paras(book, f"Capital expenditure in all was £{num(now.capex)} million ({year - 1}: "
                     f"£{num(before.capex)} million); the remainder went into renewals."),
    ]


def statements(book: Book, year: int) -> list[Flowable]:
    """Income statement, balance sheet and cash flow with notes."""
    now, before = YEARS[year], YEARS[year - 1]
    income = [[name, num(a), num(b)]
              for name, a, b in zip(SEGMENTS, now.revenue, before.revenue, strict=True)]
    income.append(["Revenue", num(now.turnover), num(before.turnover)])
    income += [[name, num(-a), num(-b)]
               for name, a, b in zip(COSTS, now.costs, before.costs, strict=True)]
    income += [
        ["Operating profit", num(now.profit), num(before.profit)],
        ["Net finance costs", num(-now.finance), num(-before.finance)],
        ["Profit before tax", num(now.before_tax), num(before.before_tax)],
        ["Income tax", num(-now.tax), num(-before.tax)],
        ["Profit for the year", num(now.after_tax), num(before.after_tax)],
    ]
    balance = [[name, num(a), num(b)]
               for name, a, b in zip(_ASSETS, now.assets, before.assets, strict=True)]
    balance.append(["Total assets", num(sum(now.assets)), num(sum(before.assets))])
    balance += [[name, num(-a), num(-b)]
                for name, a, b in zip(_DEBTS, now.debts, before.debts, strict=True)]
    balance.append(["Net assets (equity)", num(now.equity), num(before.equity)])
    borrowed = now.debts[0] - before.debts[0]
    leases = now.debts[1] - before.debts[1] - 24.0
    moved = now.assets[4] - before.assets[4]
    tax_paid = round(now.tax * 0.93, 1)
    operating = moved + now.capex + before.dividends - borrowed - leases + now.finance + tax_paid
    flow = [
        ["Cash from operations", num(operating)],
        ["Interest paid", num(-now.finance)],
        ["Tax paid", num(-tax_paid)],
        ["Capital expenditure", num(-now.capex)],
        ["New borrowings, net", num(borrowed)],
        ["Principal of leases", num(leases)],
        [f"Dividend for {year - 1} paid", num(-before.dividends)],
        ["Change in cash", num(moved)],
        [f"Cash on 1 January {year}", num(before.assets[4])],
        [f"Cash on 31 December {year}", num(now.assets[4])],
    ]
    return [
        PageBreak(), Mark("income"), *h1(book, "Consolidated income statement"),
        table(book, ["£ million", str(year), str(year - 1)], income, [3.4, 1, 1],
              totals=[4, 12, 14, 16]),
        *paras(
            book,
            f"Basic earnings per share were {now.after_tax / 2:.1f} pence on 200 million "
            f"ordinary shares ({year - 1}: {before.after_tax / 2:.1f} pence). The Board proposes a "
            f"dividend of {now.dividend_pence} pence per share.<super>1</super>",
        ),
        *footnotes(
            book, f"A dividend of {now.dividend_pence} pence on 200 million shares amounts to "
                  f"£{num(now.dividend_pence * 2)} million."),
        PageBreak(), Mark("balance"), *h1(book, "Balance sheet and cash flow"),
        table(book, [f"£ million, 31 December {year}", str(year), str(year - 1)], balance,
              [3.4, 1, 1], totals=[5, 10]),
        Paragraph(f"Cash flow {year}", book.style["h2"]),
        table(book, ["£ million", str(year)], flow, [3.4, 1], totals=[7, 9],
              span=book.body_width * 0.66),
        *paras(
            book,
            "The accounts were approved by the Board and audited by Quillfeather and Moss LLP, "
            "whose report without qualification is available at the registered office.",
            style="note",
        ),
    ]
