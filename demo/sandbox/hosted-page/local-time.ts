/**
 * Formats times of day for the hosted page. The page needs no script, which could ask the browser for its time zone, so
 * times are those of the country in which the customer pays, and name its city.
 */

// [assumed] The time zone of the capital, for countries with several.
const TIME_ZONES: Readonly<Record<string, string>> = {
  BWA: 'Africa/Gaborone',
  CIV: 'Africa/Abidjan',
  EGY: 'Africa/Cairo',
  GHA: 'Africa/Accra',
  KEN: 'Africa/Nairobi',
  MOZ: 'Africa/Maputo',
  MWI: 'Africa/Blantyre',
  NGA: 'Africa/Lagos',
  RWA: 'Africa/Kigali',
  SEN: 'Africa/Dakar',
  TZA: 'Africa/Dar_es_Salaam',
  UGA: 'Africa/Kampala',
  ZAF: 'Africa/Johannesburg',
  ZMB: 'Africa/Lusaka',
  ZWE: 'Africa/Harare',
}

/**
 * Returns a time of day, such as "12:30, Nairobi time".
 *
 * @param time Milliseconds since the Unix epoch.
 * @param country An ISO 3166-1 alpha-3 code.
 */
export function localTime(time: number, country: string): string {
  const timeZone = TIME_ZONES[country]
  const format = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timeZone ?? 'UTC',
  })
  const city = timeZone?.replace(/.*\//, '').replaceAll('_', ' ')
  return `${format.format(time)}${city === undefined ? ' UTC' : `, ${city} time`}`
}
