/** Times, days and numbers in the notation and time zone of the browser. */

/**
 * The formatters of one locale and time zone.
 * @param {string} [locale] the browser's by default
 * @param {string} [timeZone] the browser's by default
 */
export function notation(locale, timeZone) {
  const numbers = { numberingSystem: "latn" };
  // Made once: making a formatter takes longer than everything it does while a box is drawn.
  const whole = new Intl.NumberFormat(locale, numbers);
  const decimal = new Intl.NumberFormat(locale, numbers)
    .formatToParts(0.5)
    .find(({ type }) => type === "decimal");
  const point = decimal?.value ?? ".";
  const clock = new Intl.DateTimeFormat("en-GB", {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZone,
  });
  /** @type {Intl.DateTimeFormatOptions} */
  const day = { ...numbers, day: "numeric", month: "short", timeZone };
  const dayOfYear = new Intl.DateTimeFormat(locale, day);
  const dayAndYear = new Intl.DateTimeFormat(locale, { ...day, year: "numeric" });

  /**
   * @param {string|number|Date} when
   * @returns {Record<string, string>} year, month, day, hour, minute, second
   */
  function parts(when) {
    const fields = clock.formatToParts(new Date(when));
    return Object.fromEntries(fields.map(({ type, value }) => [type, value]));
  }

  return {
    /** A whole number, such as "1,234". @param {number} n */
    grouped: (n) => whole.format(n),

    /** A number with so many decimals. @param {number} value @param {number} decimals */
    fixed: (value, decimals) => value.toFixed(decimals).replace(".", point),

    /** A server's text with its numbers in this notation, such as "3,2 s". @param {string} text */
    localised: (text) => text.replace(/(\d)\.(\d)/g, `$1${point}$2`),

    /**
     * Time of day, HH:MM:SS (or HH:MM).
     * @param {string|number|Date} when
     * @param {boolean} [seconds]
     */
    timeOfDay: (when, seconds = true) => {
      const { hour, minute, second } = parts(when);
      return [hour, minute, ...(seconds ? [second] : [])].join(":");
    },

    /**
     * A day, such as "21 Nov 2026".
     * @param {string|number|Date} when
     * @param {Date} [now] leave out the year if it is the current one
     */
    dayWords: (when, now) => {
      const isThisYear = now && parts(now).year === parts(when).year;
      return (isThisYear ? dayOfYear : dayAndYear).format(new Date(when));
    },

    /** @param {string|number|Date} a @param {string|number|Date} b */
    sameDay: (a, b) => {
      const [first, second] = [parts(a), parts(b)];
      return first.year === second.year && first.month === second.month && first.day === second.day;
    },
  };
}

export const { grouped, fixed, localised, timeOfDay, dayWords, sameDay } = notation();
