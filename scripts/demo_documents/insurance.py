"""A home insurance policy: schedule, cover, exclusions, claims."""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, NextPageTemplate, PageBreak, Paragraph

from scripts.demo_documents.blocks import bullets, callout, h1, numbered, paras, side_by_side, table
from scripts.demo_documents.book import Book, Built, Mark, marked, running_chrome
from scripts.demo_documents.covers import shield
from scripts.demo_documents.style import Theme

NAME = "policy-wrenfield-home-insurance.pdf"
_THEME = Theme(HexColor("#1d3a2f"), HexColor("#b8863b"), HexColor("#f2f5f1"), text="Times",
               display="Helvetica", size=11.7)
_SECTIONS = (  # section, sum insured, excess, premium before tax
    ("A  Buildings", 385_000, 250, 214.60), ("B  Contents", 62_000, 150, 96.25),
    ("C  Valuables away from home", 4_500, 100, 38.40), ("D  Bicycles", 3_200, 75, 27.90),
    ("E  Legal expenses", 50_000, 0, 22.50), ("F  Home emergency", 1_000, 0, 31.35),
)
_TAX = 0.12


def build(path: Path) -> Built:
    """Write the policy."""
    book = Book(
        path, _THEME, title="Home insurance policy", organisation="Wrenfield Mutual",
        running="Home insurance policy WM-H 2207-418", cover=_front,
    )
    story: list[Flowable] = [NextPageTemplate("body")]
    for part in (_schedule, _words, _buildings, _contents, _not_covered, _claims, _cancel):
        story += part(book)
    return book.make(story)


def _front(c: Canvas, book: Book) -> None:
    width, height = book.pagesize
    running_chrome(c, book)
    shield(c, 22 * mm, height - 30 * mm, 11 * mm, book.theme.primary, book.theme.accent)
    c.setFillColor(book.theme.primary)
    c.setFont(book.theme.heading, 14)
    c.drawString(37 * mm, height - 25.5 * mm, "Wrenfield Mutual")
    c.setFont(book.theme.regular, 9)
    c.setFillColor(book.theme.muted)
    c.drawRightString(width - 22 * mm, height - 25 * mm, "2 Cooper Lane, Thornby")


def _schedule(book: Book) -> list[Flowable]:
    net = sum(row[3] for row in _SECTIONS)
    tax = round(net * _TAX, 2)
    body = [[n, f"£{s:,}", f"£{e}" if e else "none", f"£{p:.2f}"] for n, s, e, p in _SECTIONS]
    body += [["Net premium", "", "", f"£{net:.2f}"], ["Insurance tax, 12%", "", "", f"£{tax:.2f}"],
             ["To pay for the year", "", "", f"£{net + tax:.2f}"]]
    half = (book.body_width - 14) / 2
    facts = [
        ["Policyholders", "Eleanor Dunmore-Achebe and Piet Dunmore"],
        ["Home insured", "17 Saddler’s Row, Lower Marle"],
        ["Period", "1 July 2024, 00:00, to 30 June 2025, 24:00"],
        ["Built", "1926, brick, slate roof, 3 bedrooms"],
        ["Locks and alarm", "Five-lever locks; alarm, not connected"],
        ["Claims in five years", "One: burst pipe, February 2021, £2,140"],
    ]
    return [
        Paragraph("&nbsp;", book.style["body"]),
        *h1(book, "Policy schedule"),
        *paras(book, "Policy number <b>WM-H 2207-418</b>. This schedule is part of the contract "
                     "and replaces the schedule dated 1 July 2023."),
        table(book, ["Your details", ""], facts, [1, 2.6], text_columns=2, pad=5),
        marked("schedule", table(
            book, ["Section", "Sum insured", "Excess", "Premium"], body, [2.4, 1.2, 1, 1.1],
            totals=[6, 8], pad=5)),
        side_by_side(
            book,
            callout(book, "Conditions that apply to you", [
                "Endorsement 7: the flat roof over the kitchen is inspected every three years.",
                "Endorsement 12: no cover for theft while the home is let.",
            ], width=half),
            callout(book, "Discounts included", [
                "No claim for three years: 15 per cent. Paid in one sum: 4 per cent.",
            ], width=half)),
    ]


def _words(book: Book) -> list[Flowable]:
    terms = (
        ("Accident", "a sudden event that you neither intended nor expected."),
        ("Contents", "what you would take with you when you move, including carpets, up to £1,500 "
                     "in money and up to £800 in plants in the garden."),
        ("Escape of water", "water that leaves a pipe, tank, appliance or heating system by "
                            "accident."),
        ("Excess", "the part of each claim that you pay yourselves."),
        ("Family", "you, and relatives and partners who live with you permanently, students "
                   "included during term."),
        ("Flood", "water that enters the building from outside at ground level or below."),
        ("Home", "the house, garage and sheds at the address in the schedule."),
        ("Unoccupied", "not slept in for more than 45 nights in a row."),
        ("Valuables", "jewellery, watches, furs, works of art, and musical instruments."),
        ("Wear", "the loss of value that comes with age and use."),
    )
    return [
        PageBreak(), Mark("words"), *h1(book, "1  Words with a fixed meaning"),
        *paras(book, "These words mean the same wherever they stand in bold in this policy."),
        table(book, ["Word", "Meaning"], [[f"<b>{a}</b>", b] for a, b in terms], [1, 3.4],
              text_columns=2, pad=5.5),
        Paragraph("What we expect of you", book.style["h2"]),
        *bullets(book, [
            "Tell us within 30 days when you start building work that costs more than £15,000, "
            "take in lodgers, or leave the home <b>unoccupied</b>.",
            "Keep the home in good repair, and gutters clear.",
            "From November to March, heat the home to at least 12 °C or drain the pipes when "
            "nobody is there for more than four nights.",
        ]),
    ]


def _buildings(book: Book) -> list[Flowable]:
    return [
        PageBreak(), Mark("buildings"), *h1(book, "2  Section A: buildings"),
        *paras(book, "We pay for repair or rebuilding in the same style when the <b>home</b> is "
                     "damaged by one of the events below, up to the sum insured. The sum follows "
                     "the index of building costs at each renewal."),
        table(
            book, ["Event", "Covered", "Limit for one claim", "Higher excess"],
            [["Fire, lightning, explosion, smoke", "yes", "sum insured", "–"],
             ["Storm", "yes; fences and gates no", "sum insured", "–"],
             ["Flood", "yes", "sum insured", "£500"],
             ["Escape of water", "yes", "sum insured", "£450"],
             ["Finding the leak", "yes", "£7,500", "–"],
             ["Subsidence, heave, landslip", "yes", "sum insured", "£1,000"],
             ["Theft and vandalism", "yes; not while unoccupied", "sum insured", "–"],
             ["Falling trees and aerials", "yes", "sum insured", "–"],
             ["Accidental damage to glass and basins", "yes", "£2,500", "–"]],
            [2.2, 1.7, 1.2, 1], text_columns=3, pad=5),
        Paragraph("If you cannot live at home", book.style["h2"]),
        *paras(
            book,
            "We pay for a similar home nearby, and for kennels and storage, for up to eighteen "
            "months and up to 20 per cent of the sum insured for buildings.",
        ),
        Paragraph("Your liability as owner", book.style["h2"]),
        *paras(book, "When a slate falls on somebody’s car we deal with the claim and pay up to "
                     "£2 million, costs of defence included."),
    ]


def _contents(book: Book) -> list[Flowable]:
    return [
        PageBreak(), Mark("contents"), *h1(book, "3  Sections B to F"),
        Paragraph("B: contents", book.style["h2"]),
        *paras(book, "The same events as in section A. We replace as new, except clothes and "
                     "linen, for which we take off <b>wear</b>. Food in the freezer: £400."),
        Paragraph("C: valuables away from home", book.style["h2"]),
        *paras(book, "Loss, theft and <b>accident</b> anywhere in Europe, and elsewhere for up to "
                     "60 days a year. A single item that is worth more than £1,500 is insured only "
                     "if the schedule lists it."),
        Paragraph("D: bicycles", book.style["h2"]),
        *bullets(book, [
            "Theft when locked through the frame to something fixed, or inside a locked building.",
            "Damage by <b>accident</b>, but not in races.",
            "Batteries of electric bicycles are insured up to £600 and for the first five years.",
        ]),
        Paragraph("E: legal expenses", book.style["h2"]),
        *paras(book, "Disputes with employers, neighbours, builders and sellers, if a lawyer whom "
                     "we appoint gives you a chance of more than one in two. Not: divorce, "
                     "planning permission, or anything that began before 1 July 2023."),
        Paragraph("F: home emergency", book.style["h2"]),
        *paras(book, "A boiler that fails, a blocked drain, a lost key, wasps: call 0555 019 300 "
                     "at any hour. A craftsman comes within four hours. We pay up to £1,000 for "
                     "call-out, three hours of work and parts, and two nights in a hotel when the "
                     "home cannot be used."),
    ]


def _not_covered(book: Book) -> list[Flowable]:
    return [
        PageBreak(), Mark("exclusions"), *h1(book, "4  What is never covered"),
        *numbered(book, [
            "Damage that you or your family cause on purpose.",
            "<b>Wear</b>, rust, rot, moth, woodworm, damp and whatever else happens little by "
            "little.",
            "War, terrorism with nuclear or chemical means, and radioactivity.",
            "Damage by pets that live in the home: chewing, scratching, fouling.",
            "Faults of design, material or workmanship.",
            "Drones above 250 grams, caravans, boats and anything with a number plate.",
            "Loss of data and of cryptographic keys.",
            "Theft or damage by lodgers and guests who pay.",
            "Frost damage to swimming pools and to pipes outside that were not lagged.",
        ]),
        Paragraph("Too low a sum insured", book.style["h2"]),
        *paras(
            book,
            "If the sum for <b>contents</b> is less than 85 per cent of what replacing everything "
            "would cost, we reduce each payment in the same proportion.",
        ),
        callout(book, "Example", [
            "Contents worth £80,000 are insured for £60,000, that is 75 per cent. A claim for "
            "£4,000 is paid with £3,000, less the excess.",
        ]),
    ]


def _claims(book: Book) -> list[Flowable]:
    return [
        PageBreak(), Mark("claims"), *h1(book, "5  How to claim"),
        *numbered(book, [
            "Stop the damage from growing: turn off the water, board up the window. Keep receipts.",
            "Report theft to the police within 24 hours and ask for the crime number.",
            "Tell us within 14 days: 0555 019 310, weekdays 8 to 18, or claims@wrenfield.example.",
            "Do not throw anything away before we have seen it or agreed in writing.",
            "We decide within ten working days of having all documents, and pay within five more.",
        ]),
        table(
            book, ["What we ask for", "Theft", "Water", "Storm", "Bicycle"],
            [["Photographs of the damage", "yes", "yes", "yes", "yes"],
             ["Crime number", "yes", "no", "no", "yes"],
             ["Plumber’s report", "no", "yes", "no", "no"],
             ["Two estimates above £750", "no", "yes", "yes", "no"],
             ["Receipt and frame number", "no", "no", "no", "yes"]],
            [2.4, 1, 1, 1, 1], pad=5),
    ]


def _cancel(book: Book) -> list[Flowable]:
    return [
        Paragraph("6  Ending the contract", book.style["h2"]),
        *paras(
            book,
            "You may withdraw within 21 days of receiving the policy and pay nothing if you have "
            "not claimed. Later you may end it at any time with a month’s notice; we return the "
            "premium by the day, less £30. We may end it with 60 days’ notice, after a claim or if "
            "you have misled us.",
        ),
        Paragraph("7  Complaints", book.style["h2"]),
        *paras(
            book,
            "Write to the Members’ Advocate, Wrenfield Mutual, 2 Cooper Lane, Thornby. If you do "
            "not have an answer that satisfies you after eight weeks, the arbitration board of the "
            "mutual insurers will look at the case free of charge; its decision binds us, not you.",
        ),
    ]
