"""What the two editions of Northfield Rail Group's annual report say in words."""

from __future__ import annotations

CHAIR = {
    2023: (
        "Sir Aldous Fenhallow, Chair",
        (
            "A year ago I wrote that the Group had come through the energy crisis bruised but "
            "solvent. In 2023 we did more than recover. Passengers returned to the Coastal Line in "
            "numbers we had not expected before 2025, the Airport Branch carried its "
            "ten-millionth traveller in a single year, and the Board was able to restore the "
            "dividend to a level that its owners recognise.",
            "The strike settlement reached in March was the hardest negotiation of my eight years "
            "in this chair. It cost money, and it was right. Crew rosters are now published "
            "twenty-eight days ahead, sickness has fallen, and trains that were cancelled for want "
            "of a driver have become a rarity.",
            "Not everything went well. The landslip at Coldharbour Cutting closed the Moor Line "
            "for nineteen days in November and showed that drainage built in 1871 is no match for "
            "the rain of this decade. The Board has approved a programme of slope stabilisation "
            "worth £36.5 million over four years.",
            "This is my last statement. I shall retire at the annual meeting in May and leave the "
            "chair to Marguerite Vaulx, who has challenged me in every meeting since 2017 and has "
            "usually been right.",
        ),
    ),
    2024: (
        "Marguerite Vaulx, Chair",
        (
            "I took the chair in May from Sir Aldous Fenhallow, who led this company through eight "
            "eventful years, and I inherit a railway in better order than at any time since it "
            "was formed. Nine trains in ten now arrive on time, and that figure was reached "
            "without padding a single timetable.",
            "The first battery hybrid trains entered service on the Moor Line on 2 September. They "
            "run the eleven miles beyond Stonebeck without wires and charge while they wait. "
            "Twelve diesel railcars built in 1998 went to the scrapyard as a result; nobody who "
            "lived beside the line has asked for them back.",
            "Freight had a difficult year. The closure of the Marlpit cement works in April "
            "removed about half a million tonnes of traffic, and new aggregate flows replaced only "
            "part of it. We have written to shareholders about what this means for the Fenwick "
            "Yard, where one of the three reception sidings is now mothballed.",
            "The Board has also changed. Solveig Amberley joined in May from a career in offshore "
            "engineering and chairs the safety committee. We held nine meetings, one of them at "
            "the Brackwater depot, where apprentices told us plainly what a depot needs.",
        ),
    ),
}

CHIEF = {
    2023: (
        "The timetable that began on 10 December 2023 is the largest change we have made in a "
        "decade: a train every fifteen minutes on the Quayside Loop, a later last service on the "
        "Vale Line and no more gaps of two hours on Sunday mornings.",
        "We spent much of the year repairing trust. A delay that is explained is a delay forgiven, "
        "so we trained 640 colleagues to give information within three minutes of a disruption. "
        "Complaints per 100,000 journeys fell from 41 to 33.",
        "Energy was the surprise on the right side of the ledger. Hedges bought at the worst "
        "moment expired in the summer, and regenerative braking is now switched on across the "
        "whole of Class 43. Our bill for energy and traction fell although we ran more train "
        "miles.",
        "In the coming year we shall introduce twelve battery hybrid trains, open the new "
        "Kingsholt control centre and begin the tunnel relining at Harrow Tor.",
    ),
    2024: (
        "Our largest single achievement this year is hard to photograph. The Kingsholt control "
        "centre took over all five lines on the night of 16 June, replacing four signal boxes and "
        "a telephone concentrator from 1984. Not one train was cancelled because of the "
        "changeover.",
        "Complaints per 100,000 journeys fell again, from 33 to 24. The most frequent subject is "
        "no longer delay but the price of parking at stations, a problem we are glad to have.",
        "The tunnel relining at Harrow Tor is four months late. Ground water was met at the "
        "northern portal in August, and the contractor needed a second freezing plant. We expect "
        "single-line working to end in July 2025, and have told passengers so.",
        "For 2025 the order of work is clear: finish Harrow Tor, wire the last six miles to "
        "Saltmarsh Junction, and bring tap-in ticketing from the Airport Branch to every station.",
    ),
}

PRIORITIES = {
    2023: (
        ("Run on time", "Punctuality of 88 per cent by the end of 2024"),
        ("Grow carefully", "70 million passenger journeys a year"),
        ("Cut carbon", "70 per cent renewable traction energy"),
        ("Look after people", "Lost-time injury rate below 2.8"),
    ),
    2024: (
        ("Run on time", "Punctuality of 91.5 per cent by the end of 2025"),
        ("Grow carefully", "78 million passenger journeys a year"),
        ("Cut carbon", "82 per cent renewable traction energy"),
        ("Look after people", "Lost-time injury rate below 2.2"),
    ),
}

# risk, what could happen, what we do, likelihood, impact, trend
RISKS = {
    2023: (
        ("Extreme weather", "Landslips and flooding close lines for weeks.",
         "Slope sensors at 14 cuttings; £36.5m stabilisation programme.", "High", "High", "Rising"),
        ("Energy price", "Wholesale power moves faster than fares.",
         "Rolling hedge covering 60% of the next year's need.", "Medium", "High", "Falling"),
        ("Industrial relations", "Strikes interrupt service.",
         "Three-year settlement signed in March 2023.", "Medium", "Medium", "Falling"),
        ("Cyber attack", "Ticketing or control systems are unavailable.",
         "Segmented networks; two exercises a year.", "Medium", "High", "Stable"),
        ("Ageing diesel fleet", "Parts for Class 27 can no longer be bought.",
         "Replacement by battery hybrids from 2024.", "High", "Medium", "Stable"),
    ),
    2024: (
        ("Extreme weather", "Landslips and flooding close lines for weeks.",
         "Slope sensors at 27 cuttings; half of the stabilisation works complete.",
         "High", "High", "Stable"),
        ("Loss of a freight customer", "Three customers carry 58% of tonnage.",
         "Short-term contracts for aggregates; intermodal trial at Fenwick Yard.",
         "High", "Medium", "Rising"),
        ("Project delivery", "Harrow Tor relining runs further behind.",
         "Second freezing plant; weekly board reporting.", "Medium", "High", "Rising"),
        ("Cyber attack", "Ticketing or control systems are unavailable.",
         "Segmented networks; control centre with a hot standby.", "Medium", "High", "Stable"),
        ("Energy price", "Wholesale power moves faster than fares.",
         "Rolling hedge covering 75% of the next year's need.", "Low", "High", "Falling"),
    ),
}

# project, spent before the year, spent in the year, budget in all, opening
PROJECTS = {
    2023: (
        ("Kingsholt control centre", 22.4, 38.6, 84.0, "June 2024"),
        ("Battery hybrid trains", 8.1, 41.3, 96.5, "September 2024"),
        ("Harrow Tor tunnel relining", 1.2, 12.7, 58.0, "March 2025"),
        ("Step-free stations", 14.9, 19.8, 61.2, "December 2026"),
        ("Coldharbour drainage", 0.0, 4.4, 36.5, "October 2027"),
    ),
    2024: (
        ("Kingsholt control centre", 61.0, 21.7, 84.0, "Opened 16 June"),
        ("Battery hybrid trains", 49.4, 45.2, 96.5, "Opened 2 September"),
        ("Harrow Tor tunnel relining", 13.9, 31.5, 66.4, "July 2025"),
        ("Step-free stations", 34.7, 17.3, 61.2, "December 2026"),
        ("Coldharbour drainage", 4.4, 13.9, 36.5, "October 2027"),
    ),
}

SAFETY = {
    2023: (
        "No passenger lost their life in a train accident. One colleague, a contractor's track "
        "worker, was seriously hurt at Aldermoor depot in February when a jack slipped. The "
        "inquiry made eleven recommendations; nine were closed by the end of the year.",
        "Signals passed at danger fell for the third year. Simulator time per driver rose from "
        "eight to twelve hours, and fatigue checks were added to early turns.",
    ),
    2024: (
        "No passenger lost their life in a train accident, and no colleague suffered a "
        "life-changing injury. The two recommendations left open from the Aldermoor inquiry were "
        "closed in January.",
        "Level crossings remain our largest residual risk. Obstacle detection was fitted at seven "
        "crossings and the footpath crossing at Mill Lane was replaced by a bridge in October.",
    ),
}

CAUSES = {
    2023: [("Infrastructure", 38.0), ("Weather", 24.0), ("Train faults", 17.0),
           ("Crew", 12.0), ("Passengers", 9.0)],
    2024: [("Infrastructure", 35.0), ("Weather", 19.0), ("Train faults", 21.0),
           ("Crew", 8.0), ("Passengers", 17.0)],
}

FREIGHT = {
    2023: "the most since the Group was formed. Cement from the Marlpit works, aggregates from "
          "the Tarnside quarries and containers from Saltmarsh Port made up four fifths of it.",
    2024: "after the closure of the Marlpit cement works. Containers from Saltmarsh Port grew by "
          "a tenth and are now our largest commodity.",
}

LINE_NOTES = {
    2023: (
        "A third track between Port Isolde and Gannet Head let fast trains pass the stoppers. "
        "Summer Saturdays were the busiest on record.",
        "Platforms at Lower Marle and Thornby were lengthened for five-car trains, which ended "
        "the practice of locking the rear doors.",
        "Tap-in ticketing arrived in February: 71 per cent of travellers now use no paper.",
        "Closed from 4 to 22 November by the landslip at Coldharbour Cutting; buses carried "
        "61,000 passengers.",
        "The fifteen-minute service began in December after a signalling trial in the autumn.",
    ),
    2024: (
        "Fast trains now cover the distance from Harrowmere to Gannet Head in 52 minutes, four "
        "minutes less than before.",
        "Single-line working through Harrow Tor tunnel has cost the line punctuality since "
        "August, and it is the only line that missed its own target.",
        "Two more trains allowed a departure every ten minutes at peak. Tap-in ticketing is used "
        "by 83 per cent of travellers.",
        "Battery hybrid trains took over from diesel railcars on 2 September; journeys in the "
        "last quarter were up by a ninth.",
        "The first full year of the fifteen-minute service brought 1.2 million extra journeys.",
    ),
}
