/** Reads the variables about notices: to which server, service and people the words about a payment go. Pure. */

import { email } from '../contract/fields.ts'
import { parseJson, parseUrl } from '../contract/parse.ts'
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
  'smtps://USER:PASSWORD@HOST or smtp://USER:PASSWORD@HOST, each with a port if need be, with the characters @ : / ? # and % of the user and the password percent-encoded'

export function readSmtpUrl(text: string): Smtp | null {
  const url = parseUrl(text)
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || url.search + url.hash !== '') {
    return null
  }

  const isSecure = url.protocol === 'smtps:'
  const user = decoded(url.username)
  const password = decoded(url.password)
  if (
    !/^\/?$/.test(url.pathname) ||
    user === null ||
    password === null ||
    (user === '') !== (password === '')
  ) {
    return null
  }

  return {
    host: url.hostname.toLowerCase(),
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    login: user === '' ? null : { user, password: new Secret(password) },
  }
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

export function readMailbox(text: string): string | null {
  return email.safeParse(text).data ?? null
}

export const HEADERS_RULE = 'a JSON object of headers and their texts, such as {"Authorization":"Bearer KEY"}'

/** The server decides these headers. */
const OWN_HEADERS = /^(content-type|content-length|host|connection|transfer-encoding|idempotency-key)$/i

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

  return headers
}

/** Returns what is wrong with a template, as the end of a sentence; `null` if nothing is. */
export function problemOfTemplate(type: TemplateType, template: string): string | null {
  const names: readonly string[] = NOTICE_VALUES
  const unknown = [...template.matchAll(PLACE)].find(([, name = '']) => !names.includes(name))
  if (unknown) {
    return `names ${unknown[0]}, and there are ${NOTICE_VALUES.map((name) => `{${name}}`).join(', ')}.`
  }
  if (type === 'json' && parseJson(fillTemplate(type, template, SAMPLE)) === undefined) {
    return 'must be JSON when its values are put in, or NOTIFY_TYPE another type.'
  }
  return null
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

/** Returns a template with its values, written as its type demands: no value can end a text, or add a field. */
export function fillTemplate(type: TemplateType, template: string, values: NoticeValues): string {
  const byName: Readonly<Record<string, string>> = values
  const valueOf = (name: string) => byName[name] ?? ''
  const fill = (text: string, written = valueOf) => text.replaceAll(PLACE, (_, name: string) => written(name))
  switch (type) {
    case 'json':
      return template.replaceAll(TEXT_OR_PLACE, (part, place?: string) => {
        if (place === undefined) {
          return fill(part, (name) => JSON.stringify(valueOf(name)).slice(1, -1))
        }
        // Outside of a text, an amount is a number, with all of its digits, and every other value a text of its own.
        return place === 'amount' ? values.amount : JSON.stringify(valueOf(place))
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
