/** Reads the variables about notices: to which server, service and people the words about a payment go. Pure. */

import { email } from '../contract/fields.ts'
import { decodedPart, parseJson } from '../contract/parse.ts'
import { parseAddress, parseReachable } from './address.ts'
import { isOneLine } from './one-line.ts'
import { Secret } from './secret.ts'

import type { TemplateType } from './notice-template.ts'

/** The server that sends e-mail. */
export interface Smtp {
  readonly host: string
  readonly port: number
  /** Whether TLS begins with the connection (`smtps:`), and not later, by STARTTLS. */
  readonly isSecure: boolean
  /** `null` for a server that wants no password. */
  readonly login: { readonly user: string; readonly password: Secret } | null
}

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
