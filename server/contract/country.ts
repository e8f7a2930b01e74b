/**
 * Countries by their codes of two and three letters (ISO 3166-1): which codes exist, which country has which calling
 * code, and the currencies of those that the gateway serves.
 */

import { getCountryCallingCode } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/min/metadata'

import { isKeyOf } from './parse.ts'

import type { CountryCode as Country } from 'libphonenumber-js/core'

export type { Country }

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

/** Reads the code of two letters, in either case, of a country whose numbers can be completed; `null` for another. */
export function readCountry(text: string): Country | null {
  const code = text.toUpperCase()
  return isKeyOf(metadata.countries)(code) ? code : null
}

/** Returns the calling code that is added to a national number of a country. */
export function callingCodeIn(country: Country): string {
  return getCountryCallingCode(country, metadata)
}

/** The countries that the gateway serves. */
export const SERVED_COUNTRIES = Object.keys(CURRENCIES).flatMap((code) => readCountry(code) ?? [])

/** Returns the local currency of a country by its alpha-2 code; `null` if the country is not supported. */
export function currencyOfAlpha2(code: string): string | null {
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
