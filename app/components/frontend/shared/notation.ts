/** Times, days and numbers in the notation and time zone of the browser. */

/**
 * The formatters of one locale and time zone.
 * @param locale the browser's by default
 * @param timeZone the browser's by default
 */
export function notation(locale?: string, timeZone?: string) {
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
  const day: Intl.DateTimeFormatOptions = { ...numbers, day: "numeric", month: "short", timeZone };
  const dayOfYear = new Intl.DateTimeFormat(locale, day);
  const dayAndYear = new Intl.DateTimeFormat(locale, { ...day, year: "numeric" });

  /** @returns year, month, day, hour, minute, second */
  function parts(when: string | number | Date): Record<string, string> {
    const fields = clock.formatToParts(new Date(when));
    return Object.fromEntries(fields.map(({ type, value }) => [type, value]));
  }

  return {
    /** A whole number, such as "1,234". */
    grouped: (n: number) => whole.format(n),

    /** A number with so many decimals. */
    fixed: (value: number, decimals: number) => value.toFixed(decimals).replace(".", point),

    /** A server's text with its numbers in this notation, such as "3,2 s". */
    localised: (text: string) => text.replace(/(\d)\.(\d)/g, `$1${point}$2`),

    /** Time of day, HH:MM:SS (or HH:MM). */
    timeOfDay: (when: string | number | Date, seconds: boolean = true) => {
      const { hour, minute, second } = parts(when);
      return [hour, minute, ...(seconds ? [second] : [])].join(":");
    },

    /**
     * A day, such as "21 Nov 2026".
     * @param now leave out the year if it is the current one
     */
    dayWords: (when: string | number | Date, now?: Date) => {
      const isThisYear = now && parts(now).year === parts(when).year;
      return (isThisYear ? dayOfYear : dayAndYear).format(new Date(when));
    },

    sameDay: (a: string | number | Date, b: string | number | Date) => {
      const [first, second] = [parts(a), parts(b)];
      return first.year === second.year && first.month === second.month && first.day === second.day;
    },
  };
}

export const { grouped, fixed, localised, timeOfDay, dayWords, sameDay } = notation();
