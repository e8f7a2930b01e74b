/**
 * Reads phone numbers as people write them: the same number always gives the same digits. Lists the codes of countries,
 * and the currencies of those that the gateway serves.
 */

import parsePhoneNumber, { getCountryCallingCode, Metadata, PhoneNumber } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/min/metadata'

import { isKeyOf } from './parse.ts'

import type { CountryCode as Country } from 'libphonenumber-js/core'

/** What separates digits beside dots: white space, dashes and parentheses of any script, and what is invisible. */
const SEPARATORS = /[\s\p{Cf}\p{Default_Ignorable_Code_Point}\p{Dash}\u02d7\u2043\u30fc()\uff08\uff09]/gu
const DOTS = /[.\u00b7\uff0e]/g
/** One dot that only zeros follow, as in "254700000001.0": a floating-point number that was written as text. */
const FLOAT = /^[^.\u00b7\uff0e]*[.\u00b7\uff0e]0+$/

/**
 * Returns a number in Latin digits without separators. A number with its calling code may begin with "+". The text of a
 * floating-point number keeps its dot, and is no phone number: the zeros after it would become digits.
 */
export function compactNumber(typed: string): string {
  // Most numbers of a long list are written so.
  if (/^[1-9]\d*$/.test(typed)) {
    return typed
  }

  const text = inLatinDigits(typed).replaceAll(SEPARATORS, '')
  if (FLOAT.test(text)) {
    return text
  }
  return text.replaceAll(DOTS, '').replace(/^[\uff0b\ufe62]/, '+')
}

/** Matches what people write before a calling code. */
const INTERNATIONAL = /^(\+|00(?=[1-9]))/

/** Returns whether a number names its country: it begins with "+" or "00". */
export function hasCallingCode(typed: string): boolean {
  return INTERNATIONAL.test(compactNumber(typed))
}

/** Returns a text that a person typed with the digits of any script as 0 to 9. */
export function inLatinDigits(typed: string): string {
  return typed.replaceAll(/(?![0-9])\p{Nd}/gu, latinDigit)
}

/** Unicode encodes the digits of each script in order, and everywhere all ten of them. */
function latinDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0
  let first = point
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) {
    first -= 1
  }

  return String((point - first) % 10)
}

/**
 * Returns a phone number in the gateway's format: the calling code and the national number, only digits. Returns `null`
 * for text that cannot be a phone number.
 *
 * People write a trunk zero after the calling code: "+254 (0) 700 000 001". One such zero is removed, except where the
 * national numbers begin with it.
 *
 * @param country The country whose calling code is added to a number without one; `null` if every number has one.
 */
export function readPhoneNumber(typed: string, country: Country | null): string | null {
  const text = compactNumber(typed)
  if (!/^\+?\d{3,25}$/.test(text)) {
    return null
  }
  if (country === null || text.startsWith('+')) {
    return withoutTrunkZero(text.replace(INTERNATIONAL, ''))
  }
  if (INTERNATIONAL.test(text)) {
    return readDialled(text, country)
  }

  const number = parsePhoneNumber(text, { defaultCountry: country, extract: false }, metadata)
  return number ? withoutTrunkZero(number.number.slice(1)) : null
}

/**
 * Returns a number that begins with "00" and another digit. The calling code may follow "00", or what is dialled before
 * it in the country: "009" in Nigeria. The phones are different. That of the country itself is meant, or else the one
 * that exists; if both may exist, neither is taken.
 */
function readDialled(text: string, country: Country): string | null {
  const plan = new Metadata(metadata)
  plan.selectNumberingPlan(country)
  const prefixes = [INTERNATIONAL, new RegExp(`^(?:${plan.numberingPlan?.IDDPrefix()})`)]
  const found = prefixes
    .filter((prefix) => prefix.test(text))
    .map((prefix) => withoutTrunkZero(text.replace(prefix, '')))
    .filter((number) => number !== null)
  const numbers = [...new Set(found)]
  const local = numbers.filter((number) => callingCodeOf(number) === callingCodeIn(country))
  const valid = numbers.filter((number) => toPhoneNumber(number).isValid())
  const choice = [local, numbers, valid].find(({ length }) => length === 1)
  return choice?.[0] ?? null
}

function withoutTrunkZero(digits: string): string | null {
  const code = callingCodeOf(digits)
  if (code === undefined) {
    return null
  }

  const isNumber = (number: string) =>
    // The library throws at fewer digits.
    number.length >= code.length + 2 &&
    (number.startsWith('0', code.length) ? toPhoneNumber(number).isValid() : isPossible(number))
  return [digits, code + digits.slice(code.length).replace(/^0/, '')].find(isNumber) ?? null
}

/**
 * The results so far, by the first three digits and the length. A calling code has at most three digits, so nothing
 * else decides. Without this, a list of 100,000 recipients would take a second.
 */
const results = new Map<string, boolean>()

/**
 * Returns whether the number has as many digits as numbers of its country can have. [assumed] Nothing else is checked:
 * operators open new ranges of numbers faster than any list of ranges is updated.
 */
function isPossible(digits: string): boolean {
  const key = `${digits.slice(0, 3)} ${digits.length}`
  const result = results.get(key) ?? toPhoneNumber(digits).isPossible()
  results.set(key, result)
  return result
}

/** @throws if the number does not begin with a calling code. */
const toPhoneNumber = (digits: string) => new PhoneNumber(`+${digits}`, metadata)

function callingCodeOf(digits: string): string | undefined {
  const { country_calling_codes, nonGeographic } = metadata
  return [1, 2, 3]
    .map((length) => digits.slice(0, length))
    .find((code) => Object.hasOwn(country_calling_codes, code) || Object.hasOwn(nonGeographic, code))
}

/**
 * Returns the local currency of a phone number; `null` if the number is not of a supported country.
 *
 * @param msisdn Digits only, with the country's calling code first.
 */
export function localCurrencyOf(msisdn: string): string | null {
  // The first country of a calling code is its main one.
  const [country = ''] = metadata.country_calling_codes[callingCodeOf(msisdn) ?? ''] ?? []
  return currencyOfAlpha2(country)
}

/** Local currencies by alpha-2 code. [assumed] The gateway serves these countries, in these currencies. */
const CURRENCIES = {
  BW: 'BWP',
  CI: 'XOF',
  EG: 'EGP',
  GH: 'GHS',
  KE: 'KES',
  MW: 'MWK',
  MZ: 'MZN',
  NG: 'NGN',
  RW: 'RWF',
  SN: 'XOF',
  TZ: 'TZS',
  UG: 'UGX',
  ZA: 'ZAR',
  ZM: 'ZMW',
  ZW: 'USD',
} as const

export type { Country }

/** Reads the code of two letters, in either case, of a country whose numbers can be completed; `null` for another. */
export function readCountry(text: string): Country | null {
  const code = text.toUpperCase()
  return isKeyOf(metadata.countries)(code) ? code : null
}

/** Returns the calling code that is added to a national number of a country. */
export function callingCodeIn(country: Country): string {
  return getCountryCallingCode(country, metadata)
}

const SERVED = Object.keys(CURRENCIES).flatMap((code) => readCountry(code) ?? [])

/**
 * Returns the phone numbers that a number in the gateway's response may mean: the one that it is, if it has its calling
 * code, and those that it is dialled for in the countries that the gateway serves.
 */
export function possibleNumbers(reported: string): string[] {
  const numbers = [null, ...SERVED].map((country) => readPhoneNumber(reported, country))
  return [...new Set(numbers)].filter((number) => number !== null)
}

/** Returns the local currency of a country by its alpha-2 code; `null` if the country is not supported. */
function currencyOfAlpha2(code: string): string | null {
  return isKeyOf(CURRENCIES)(code) ? CURRENCIES[code] : null
}

/** Returns the local currency of a country by its alpha-3 code; `null` if the country is not supported. */
export function currencyOfAlpha3(code: string): string | null {
  return currencyOfAlpha2(codes[codes.indexOf(code) - 1] ?? '')
}

/** The alpha-2 code of each country, followed by its alpha-3 code (ISO 3166-1). */
const CODES = `
  AD AND AE ARE AF AFG AG ATG AI AIA AL ALB AM ARM AO AGO AQ ATA AR ARG AS ASM AT AUT AU AUS AW ABW AX ALA AZ AZE
  BA BIH BB BRB BD BGD BE BEL BF BFA BG BGR BH BHR BI BDI BJ BEN BL BLM BM BMU BN BRN BO BOL BQ BES BR BRA BS BHS
  BT BTN BV BVT BW BWA BY BLR BZ BLZ CA CAN CC CCK CD COD CF CAF CG COG CH CHE CI CIV CK COK CL CHL CM CMR CN CHN
  CO COL CR CRI CU CUB CV CPV CW CUW CX CXR CY CYP CZ CZE DE DEU DJ DJI DK DNK DM DMA DO DOM DZ DZA EC ECU EE EST
  EG EGY EH ESH ER ERI ES ESP ET ETH FI FIN FJ FJI FK FLK FM FSM FO FRO FR FRA GA GAB GB GBR GD GRD GE GEO GF GUF
  GG GGY GH GHA GI GIB GL GRL GM GMB GN GIN GP GLP GQ GNQ GR GRC GS SGS GT GTM GU GUM GW GNB GY GUY HK HKG HM HMD
  HN HND HR HRV HT HTI HU HUN ID IDN IE IRL IL ISR IM IMN IN IND IO IOT IQ IRQ IR IRN IS ISL IT ITA JE JEY JM JAM
  JO JOR JP JPN KE KEN KG KGZ KH KHM KI KIR KM COM KN KNA KP PRK KR KOR KW KWT KY CYM KZ KAZ LA LAO LB LBN LC LCA
  LI LIE LK LKA LR LBR LS LSO LT LTU LU LUX LV LVA LY LBY MA MAR MC MCO MD MDA ME MNE MF MAF MG MDG MH MHL MK MKD
  ML MLI MM MMR MN MNG MO MAC MP MNP MQ MTQ MR MRT MS MSR MT MLT MU MUS MV MDV MW MWI MX MEX MY MYS MZ MOZ NA NAM
  NC NCL NE NER NF NFK NG NGA NI NIC NL NLD NO NOR NP NPL NR NRU NU NIU NZ NZL OM OMN PA PAN PE PER PF PYF PG PNG
  PH PHL PK PAK PL POL PM SPM PN PCN PR PRI PS PSE PT PRT PW PLW PY PRY QA QAT RE REU RO ROU RS SRB RU RUS RW RWA
  SA SAU SB SLB SC SYC SD SDN SE SWE SG SGP SH SHN SI SVN SJ SJM SK SVK SL SLE SM SMR SN SEN SO SOM SR SUR SS SSD
  ST STP SV SLV SX SXM SY SYR SZ SWZ TC TCA TD TCD TF ATF TG TGO TH THA TJ TJK TK TKL TL TLS TM TKM TN TUN TO TON
  TR TUR TT TTO TV TUV TW TWN TZ TZA UA UKR UG UGA UM UMI US USA UY URY UZ UZB VA VAT VC VCT VE VEN VG VGB VI VIR
  VN VNM VU VUT WF WLF WS WSM YE YEM YT MYT ZA ZAF ZM ZMB ZW ZWE
`
const codes = CODES.trim().split(/\s+/)

/** Returns whether a text is an alpha-2 or alpha-3 code, such as "KE" or "KEN". */
export function isCountryCode(text: string): boolean {
  return codes.includes(text)
}
