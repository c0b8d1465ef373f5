/** Times, days and numbers as the reader's profile wants them; the browser's zone by default. */

/** @type {{ zone?: string|null, day?: string|null, group: string, decimal: string }} */
let chosen = { group: ",", decimal: "." };
// Made once: making one takes longer than all that it is used for when a box is drawn.
const NUMBERS = new Intl.NumberFormat("en");
let times = timesIn(chosen.zone);

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/**
 * Take what the server's regional_json gave; called before a screen is made.
 * @param {typeof chosen} given day: of %Y, %m and %d; null for "21 Nov 2026"
 */
export function useRegional(given) {
  chosen = given ?? chosen;
  times = timesIn(chosen.zone);
}

/** A whole number, such as "1,234". @param {number} n */
export function grouped(n) {
  return NUMBERS.format(n).replaceAll(",", chosen.group);
}

/** A number with so many places. @param {number} value @param {number} places */
export function fixed(value, places) {
  return value.toFixed(places).replace(".", chosen.decimal);
}

/** Words of the server with their numbers so written, such as "3,2 s". @param {string} words */
export const localised = (words) => words.replace(/(\d)\.(\d)/g, `$1${chosen.decimal}$2`);

/**
 * Time of day, HH:MM:SS (or HH:MM).
 * @param {string|number|Date} when
 * @param {boolean} [seconds]
 */
export function timeOfDay(when, seconds = true) {
  const { hour, minute, second } = parts(when);
  return [hour, minute, ...(seconds ? [second] : [])].join(":");
}

/**
 * A day, such as "21 Nov 2026".
 * @param {string|number|Date} when
 * @param {Date} [now] leave out the year where it is this one's
 */
export function dayWords(when, now) {
  const { year, month, day } = parts(when);
  if (chosen.day) {
    return chosen.day.replace("%Y", year).replace("%m", month).replace("%d", day);
  }
  const short = `${Number(day)} ${MONTHS[Number(month) - 1]}`;
  return now && parts(now).year === year ? short : `${short} ${year}`;
}

/** @param {string|number|Date} a @param {string|number|Date} b */
export const sameDay = (a, b) => {
  const [one, other] = [parts(a), parts(b)];
  return one.year === other.year && one.month === other.month && one.day === other.day;
};

/**
 * @param {string|number|Date} when
 * @returns {Record<string, string>} year, month, day, hour, minute, second
 */
function parts(when) {
  const found = times.formatToParts(new Date(when));
  return Object.fromEntries(found.map(({ type, value }) => [type, value]));
}

/** @param {string | null} [zone] the browser's, where none is given */
function timesIn(zone) {
  return new Intl.DateTimeFormat("en-GB", {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZone: zone ?? undefined,
  });
}
