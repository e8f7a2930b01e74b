/** Reads the variables about notices: to which server, service and people the words about a payment go. Pure. */

import { email } from '../contract/fields.ts'
import { decodedPart, parseJson } from '../contract/parse.ts'
import { parseAddress, parseReachable } from './address.ts'
import { isOneLine } from './one-line.ts'
import { Secret } from './secret.ts'

/** The server that sends e-mail. */
export interface Smtp {
  readonly host: string
  readonly port: number
  /** Whether TLS begins with the connection (`smtps:`), and not later, by STARTTLS. */
  readonly isSecure: boolean
  /** `null` for a server that wants no password. */
  readonly login: { readonly user: string; readonly password: Secret } | null
}

/** The values that a template may name, each as `{name}`. */
export const NOTICE_VALUES = [
  'id',
  'title',
  'text',
  'amount',
  'currency',
  'reference',
  'narration',
  'receipt',
  'phone_ends',
] as const
export type NoticeValues = Readonly<Record<(typeof NOTICE_VALUES)[number], string>>

export const TEMPLATE_TYPES = ['json', 'form', 'text'] as const
export type TemplateType = (typeof TEMPLATE_TYPES)[number]

/** The service that is sent an HTTP request for each notice. */
export interface NoticeService {
  readonly origin: string
  /** The path and the query, in which some services have their key. */
  readonly path: Secret
  readonly headers: readonly NoticeHeader[]
  readonly type: TemplateType
  readonly template: string
}

export interface NoticeHeader {
  readonly name: string
  readonly value: Secret
}

export interface NoticeSettings {
  /** `null` if NOTIFY_SMTP_URL is not set. */
  readonly email: { readonly smtp: Smtp; readonly from: string; readonly to: readonly string[] } | null
  /** `null` if NOTIFY_URL is not set. */
  readonly http: NoticeService | null
}

export const SMTP_RULE =
  'smtps://USER:PASSWORD@HOST or smtp://USER:PASSWORD@HOST, each with a port if need be, with the characters @ : / ? # and % of the user and the password percent-encoded, and without line breaks in them'

export function readSmtpUrl(text: string): Smtp | null {
  const url = parseReachable(text)
  // The parser knows the hosts of https only: 127.1 is an address, and a name in another script has another form.
  const host = parseAddress(`https://${url?.hostname}`)?.hostname
  if (!url || !host || !/^smtps?:$/.test(url.protocol) || url.search + url.hash !== '') {
    return null
  }

  const isSecure = url.protocol === 'smtps:'
  const user = decodedPart(url.username)
  const password = decodedPart(url.password)
  if (
    !/^\/?$/.test(url.pathname) ||
    user === null ||
    password === null ||
    !isOneLine(user + password) ||
    (user === '') !== (password === '')
  ) {
    return null
  }

  return {
    host,
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    login: user === '' ? null : { user, password: new Secret(password) },
  }
}

export function readMailbox(text: string): string | null {
  return email.safeParse(text).data ?? null
}

export const HEADERS_RULE = 'a JSON object of headers and their texts, such as {"Authorization":"Bearer KEY"}'

/**
 * The headers that this server or its HTTP client decides: of the body and its repetition, and the forbidden ones of the
 * Fetch Standard (fetch.spec.whatwg.org, "forbidden request-header"), with some of which no request is sent at all.
 */
const OWN_HEADERS =
  /^(content-(type|encoding)|idempotency-key|accept-(charset|encoding)|access-control-request-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/i

export function readHeaders(text: string): NoticeHeader[] | null {
  const given = parseJson(text)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return null
  }

  const headers: NoticeHeader[] = []
  for (const [name, value] of Object.entries(given)) {
    const isHeader = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !OWN_HEADERS.test(name)
    if (!isHeader || typeof value !== 'string' || !/^[\x20-\x7E]+$/.test(value)) {
      return null
    }

    headers.push({ name, value: new Secret(value) })
  }

  const names = new Set(headers.map(({ name }) => name.toLowerCase()))
  return names.size === headers.length ? headers : null
}

/** Returns the parts of an address in which a service may have a key: segments of its path, and what its query has. */
export function secretsOfAddress({ pathname, searchParams }: URL): string[] {
  const segments = pathname.split('/').flatMap((segment) => [segment, decodedPart(segment) ?? segment])
  // A key may stand alone, without a name.
  const inQuery = [...searchParams].map(([name, value]) => value || name)
  return [...segments, ...inQuery].filter(Boolean)
}

/**
 * Returns what is wrong with a template, as the end of a sentence; `null` if nothing is. The template is filled, and read
 * as who receives it reads it: a value comes out as a text of its own, and names no field.
 */
export function problemOfTemplate(type: TemplateType, template: string): string | null {
  const names: readonly string[] = NOTICE_VALUES
  const unknown = [...template.matchAll(PLACE)].find(([, name = '']) => !names.includes(name))
  if (unknown) {
    return `names ${unknown[0]}, and there are ${NOTICE_VALUES.map((name) => `{${name}}`).join(', ')}.`
  }

  const readWith = (valueOf: ValueOf) => partsOf(type, fillWith(type, template, valueOf))
  const sample = readWith((name) => textIn(SAMPLE, name))
  const parts = readWith(() => '1')
  const others = readWith(() => '2')
  const second = readWith((name) => (name === 'text' || name === 'title' ? '2' : '1'))
  if (!sample || !parts || !others || !second) {
    return 'must be JSON when its values are put in, or NOTIFY_TYPE another type.'
  }
  if (parts.some(({ name }, index) => name !== others[index]?.name)) {
    return 'has a value in the name of a field: who pays could then write what another field has. Put it into a text.'
  }

  const filled = parts.filter(({ text }, index) => text !== others[index]?.text)
  if (filled.some(({ text }) => isStructure(text))) {
    return 'puts a value into a text that is itself JSON, markup or a query, to which who pays could then add a field: put it into a field of the body, and take the NOTIFY_TYPE that the body has.'
  }
  if (parts.every(({ text }, index) => text === second[index]?.text)) {
    return 'must have {text} or {title}: only they say what has happened, and without them a payment and its reversal read alike.'
  }
  return null
}

/** A text, a number or another value in a body, with the names that lead to it. */
interface Part {
  name: string
  text: string
}

/** Returns what is in a body, as who receives it reads it; `null` if it cannot be read. */
function partsOf(type: TemplateType, body: string): Part[] | null {
  switch (type) {
    case 'json': {
      const value = parseJson(body)
      return value === undefined ? null : partsIn(value, '')
    }
    case 'form':
      return [...new URLSearchParams(body)].map(([name, text]) => ({ name, text }))
    case 'text':
      return [{ name: '', text: body }]
  }
}

function partsIn(value: unknown, name: string): Part[] {
  if (typeof value !== 'object' || value === null) {
    return [{ name, text: String(value) }]
  }
  return Object.entries(value).flatMap(([key, part]) => partsIn(part, `${name}/${key}`))
}

/** The beginning of an object or a list with texts in JSON, of markup, and of a further parameter of a query. */
const BEGINS_STRUCTURE = /[{[]\s*["']|<[a-z/!?]|[?&][\w.-]+=/i

/** Returns whether a text is itself of a language in which a value would have to be encoded once more. */
function isStructure(text: string): boolean {
  return typeof (parseJson(text) ?? '') === 'object' || BEGINS_STRUCTURE.test(text)
}

/** Values with characters that a body has to escape. */
const SAMPLE: NoticeValues = {
  id: 'ntc_1',
  title: 'Paid: 1500.5 KES, order "A-1"',
  text: 'Paid: 1500.5 KES, order "A-1"\nFor: \\ \u2028',
  amount: '1500.5',
  currency: 'KES',
  reference: '"A-1"',
  narration: '\\ \u2028',
  receipt: 'QK71P0ZX',
  phone_ends: '0001',
}

const PLACE = /\{(\w+)\}/g
/** A text of JSON, or a place outside of texts. */
const TEXT_OR_PLACE = /"(?:[^"\\]|\\.)*"|\{(\w+)\}/gs

type ValueOf = (name: string) => string

function textIn(values: Readonly<Record<string, string>>, name: string): string {
  return values[name] ?? ''
}

/** Returns a template with its values, written as its type demands: no value can end a text, or add a field. */
export function fillTemplate(type: TemplateType, template: string, values: NoticeValues): string {
  return fillWith(type, template, (name) => textIn(values, name))
}

function fillWith(type: TemplateType, template: string, valueOf: ValueOf): string {
  const fill = (text: string, written = valueOf) => text.replaceAll(PLACE, (_, name: string) => written(name))
  switch (type) {
    case 'json':
      return template.replaceAll(TEXT_OR_PLACE, (part, place?: string) => {
        if (place === undefined) {
          return fill(part, (name) => JSON.stringify(valueOf(name)).slice(1, -1))
        }
        // Outside of a text, an amount is a number, with all of its digits, and every other value a text of its own.
        return place === 'amount' ? valueOf(place) : JSON.stringify(valueOf(place))
      })
    case 'form': {
      const fields = [...new URLSearchParams(template)]
      return new URLSearchParams(
        fields.map(([name, value]): [string, string] => [name, fill(value)]),
      ).toString()
    }
    case 'text':
      return fill(template)
  }
}
