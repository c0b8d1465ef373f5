"""Safety, risks and governance in Northfield Rail Group's annual report."""

from __future__ import annotations

from reportlab.platypus import Flowable, PageBreak, Paragraph

from scripts.demo_documents.blocks import bullets, callout, columns, h1, paras, side_by_side, table
from scripts.demo_documents.book import Book, Mark, marked
from scripts.demo_documents.charts import bars
from scripts.demo_documents.northfield_data import BOARD, DEPARTMENTS, PAY, YEARS
from scripts.demo_documents.northfield_text import RISKS, SAFETY
from scripts.demo_documents.style import change


def safety(book: Book, year: int) -> list[Flowable]:
    """Safety, people and carbon."""
    now, before = YEARS[year], YEARS[year - 1]
    half = (book.body_width - 14) / 2
    staff = [[name, f"{now.staff[i]:,}", f"{before.staff[i]:,}", change(now.staff[i],
             before.staff[i])] for i, name in enumerate(DEPARTMENTS)]
    staff.append(["All employees", f"{now.employees:,}", f"{before.employees:,}",
                  change(now.employees, before.employees)])
    return [
        PageBreak(), *h1(book, "Safety, people and the environment"),
        columns(book, [Paragraph("Safety", book.style["h2"]), *paras(book, *SAFETY[year])]),
        side_by_side(
            book,
            [Mark("signals"), Paragraph("Signals passed at danger", book.style["caption"]),
             bars(book.theme, [str(y) for y in range(2022, year + 1)],
                  [[YEARS[y].signals_passed for y in range(2022, year + 1)]], ["Signals"],
                  size=(half, 165), high=40, step=10, labels="%d")],
            [Paragraph("Lost-time injuries per million hours", book.style["caption"]),
             bars(book.theme, [str(y) for y in range(2022, year + 1)],
                  [[YEARS[y].injuries for y in range(2022, year + 1)]], ["Injuries"],
                  size=(half, 165), high=4, step=1, labels="%.2f")],
        ),
        Paragraph("People", book.style["h2"]),
        marked("staff", table(
            book, ["Employees at year end", str(year), str(year - 1), "Change"], staff,
            [2.4, 1, 1, 1], totals=[-1])),
        callout(book, "Carbon", [
            f"Emissions fell to {now.carbon} g CO<sub>2</sub>e per passenger-kilometre "
            f"({year - 1}: {before.carbon} g). Renewable sources supplied {now.renewable:.0f} per "
            f"cent of traction energy ({year - 1}: {before.renewable:.0f} per cent).",
        ]),
    ]


def risks(book: Book, year: int) -> list[Flowable]:
    """Principal risks and viability."""
    return [
        PageBreak(), Mark("risks"), *h1(book, "Principal risks"),
        *paras(book, "The Board reviews the register of risks twice a year and the five below at "
                     "every meeting. Likelihood and impact are judged after the measures named."),
        table(book, ["Risk", "What could happen", "What we do about it", "Likelihood", "Impact",
                     "Trend"],
              [[f"<b>{row[0]}</b>", *row[1:]] for row in RISKS[year]],
              [1.3, 1.7, 2, 1.08, 0.82, 0.75], text_columns=6, pad=6),
        Paragraph("Viability", book.style["h2"]),
        *paras(
            book,
            "The directors tested the three-year plan against a combination of a four-week closure "
            "of the Coastal Line, a rise of 40 per cent in energy prices and the loss of the "
            "largest freight customer. In the combined case the Group stays within its covenants "
            "with headroom of " + {2023: "£28 million", 2024: "£43 million"}[year] + ".",
        ),
        *bullets(book, [
            "Interest cover must not fall below 2.5 times operating profit.",
            "Net borrowings must not exceed 65 per cent of property, plant and equipment.",
            "At least £60 million must be available in cash or committed facilities.",
        ]),
    ]


def board(book: Book, year: int) -> list[Flowable]:
    """The directors and their attendance."""
    held = max(row[4] for row in BOARD[year])
    return [
        PageBreak(), *h1(book, "Governance"),
        *paras(book, f"The Board met {held} times in {year}. Directors who could not attend sent "
                     "their comments to the Chair in advance."),
        marked("board", table(
            book, ["Director", "Role", "Joined", "Attended", "Held while in office"],
            [[n, r, str(j), str(a), str(h)] for n, r, j, a, h in BOARD[year]],
            [1.7, 2, 0.7, 0.8, 1.1], text_columns=2)),
    ]


def pay(book: Book, year: int) -> list[Flowable]:
    """Pay of the executive directors, and the committees."""
    packages = PAY[year]
    kinds = ("Salary", "Benefits", "Pension", "Annual bonus", "Long-term award")
    body = [
        [kind, *(f"{packages[name][i]:,}" for name in packages)] for i, kind in enumerate(kinds)
    ]
    body.append([f"Total {year}", *(f"{sum(packages[name]):,}" for name in packages)])
    body.append([f"Total {year - 1}", *(f"{sum(PAY[year - 1][name]):,}" for name in packages)])
    weights = {2023: (40, 35, 25), 2024: (40, 30, 30)}[year]
    return [
        Paragraph("Pay of the executive directors", book.style["h2"]),
        marked("pay", table(book, ["£ thousand", *packages], body, [2, 1.2, 1.2], totals=[-2])),
        *paras(
            book,
            f"The annual bonus rests on punctuality ({weights[0]} per cent), operating profit "
            f"({weights[1]} per cent) and safety ({weights[2]} per cent). No bonus is paid in a "
            "year in which a passenger or colleague dies through a failing of the Group.",
        ),
        Paragraph("Committees", book.style["h2"]),
        columns(book, paras(
            book,
            "<b>Audit.</b> Reviewed the carrying value of diesel rolling stock, the treatment of "
            "penalty payments and the independence of the auditor, Quillfeather and Moss LLP.",
            "<b>Safety.</b> Walked every depot at night at least once, and received each inquiry "
            "report within thirty days of its completion.",
            "<b>Remuneration.</b> Consulted the employee forum on pay ratios before it set "
            "the executives’ awards.",
            "<b>Nomination.</b> Ran an open search for non-executive directors through an agency "
            "that has no other tie to the Group.",
        )),
    ]
