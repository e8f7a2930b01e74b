import { jsonNear } from './json.ts'
import { PIECES, textNear } from './text.ts'

import type { SeededRandom } from '../support/seeded-random.ts'
import type { Model, Values } from './json.ts'

export interface Sent {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array<ArrayBuffer> | null
  /** The seed of what others answer meanwhile. */
  luck: number
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const TYPES = [
  '',
  'text/plain',
  'text/xml',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'application/json;;;',
  'application/vnd.api+json',
  'application/jsonx',
  'multipart/form-data; boundary=x',
  `${JSON_TYPE}, ${FORM_TYPE}`,
] as const
const METHODS = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'] as const
const HEADERS: Values = {
  accept: ['application/json', 'text/html', 'text/html,application/json;q=0.9', '*/*'],
  'accept-language': ['sw-TZ,sw;q=0.9,en;q=0.5', 'fr', 'ar-EG-u-nu-latn', 'pt-BR, *'],
  origin: ['https://shop.example', 'null', 'https://evil.example', 'http://127.0.0.1:4020'],
  'access-control-request-method': ['POST'],
  traceparent: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  'if-none-match': ['"1"', 'W/"2"', '*'],
  'last-event-id': ['1', '999999999'],
  'x-forwarded-for': ['192.0.2.7, 127.0.0.1', '2001:db8::1', '[2001:db8::1]:443', 'fe80::1%eth0'],
  forwarded: ['for=192.0.2.60;proto=http;by=203.0.113.43', 'for="[2001:db8::1]:4711"', 'for=_hidden'],
  'idempotency-key': ['8e03978e-40d5-43dd-bc93-6894a57f9324'],
  'content-length': ['0', '5', '99999999'],
  'content-encoding': ['gzip'],
  'sec-fetch-site': ['cross-site', 'same-origin'],
  host: ['127.0.0.1:4020', 'evil.example'],
}
const NAMES = Object.keys(HEADERS)
const MAX_HEADER = 4_000
const PATH_PARTS = ['nobody', '', '.', '..', 'a%2Fb', ';a=b', '*', '%', '%zz', 'x'.repeat(20_000)] as const
const QUERIES = [
  '?',
  '?x',
  '?=',
  '?&&&',
  '?__proto__=1',
  '?a[]=1&a[b]=2',
  '?%',
  `?${'x=1&'.repeat(3_000)}`,
] as const

export interface RequestModel {
  method: string
  /** The path template, such as `/api/payouts/:reference`. */
  path: string
  /** Good values of path parameters and query parameters, by name. */
  known: Values
  queries: readonly string[]
  body: Model | null
  headers: Readonly<Record<string, readonly string[]>>
}

export function requestNear(random: SeededRandom, model: RequestModel): Sent {
  const { method, path, known, queries, body, headers } = model
  const isOther = random.happens(0.02)
  const chosen: Record<string, string> = {}
  for (const [name, values] of Object.entries(headers)) {
    if (random.happens(0.93)) {
      chosen[name] = headerText(
        random.happens(0.93) ? random.pick(values) : textNear(random, values, MAX_HEADER),
      )
    }
  }

  for (let left = random.between(0, 2); left > 0; left--) {
    const name = random.pick(NAMES)
    chosen[name] = headerText(textNear(random, HEADERS[name] ?? [], MAX_HEADER))
  }

  const content = body && bodyNear(random, body)
  if (content?.type) {
    chosen['content-type'] = content.type
  }

  const sentMethod = isOther ? random.pick(METHODS) : method
  return {
    method: sentMethod,
    path: pathNear(random, path, known) + queryNear(random, queries, known),
    headers: chosen,
    body: sentMethod === 'GET' || sentMethod === 'HEAD' ? null : (content?.body ?? null),
    luck: random.between(0, 1e9),
  }
}

/** Returns the characters that an HTTP header may have. */
function headerText(text: string): string {
  return text.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '').trim()
}

function pathNear(random: SeededRandom, template: string, known: Values): string {
  const parts = template.split('/').map((part) => {
    if (!part.startsWith(':')) {
      return part.endsWith('*') ? part.slice(0, -1) + percent(textNear(random, ['.js', '@0.1.0.js'])) : part
    }

    const good = known[part.slice(1)] ?? ['nobody']
    if (random.happens(0.65)) {
      return encodeURIComponent(random.pick(good))
    }
    return random.happens(0.3) ? random.pick(PATH_PARTS) : percent(textNear(random, good))
  })
  return parts.join('/')
}

function queryNear(random: SeededRandom, names: readonly string[], known: Values): string {
  if (random.happens(0.05)) {
    return random.pick(QUERIES)
  }

  const pairs = names
    .filter(() => random.happens(0.7))
    .map((name) => {
      const good = known[name] ?? ['1']
      return `${name}=${random.happens(0.6) ? encodeURIComponent(random.pick(good)) : percent(textNear(random, good))}`
    })
  if (pairs.length > 0 && random.happens(0.05)) {
    pairs.push(random.pick(pairs))
  }
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** Percent-encodes what a URL cannot contain, and sometimes everything. Invalid escapes stay. */
function percent(text: string): string {
  const unsafe = /[\0-\u0020"#<>?`{}/\\\u007f-\u{10ffff}]/gu
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd').replaceAll(unsafe, encodeURIComponent)
}

function bodyNear(random: SeededRandom, model: Model): { type: string | null; body: Sent['body'] } {
  const kind = random.fraction()
  if (kind < 0.1) {
    return { type: FORM_TYPE, body: formNear(random, model) }
  }

  const text = jsonNear(random, model)
  if (kind < 0.9) {
    return { type: JSON_TYPE, body: text }
  }
  if (kind < 0.94) {
    return { type: random.pick([null, FORM_TYPE, ...TYPES]), body: text }
  }
  if (kind < 0.95) {
    return { type: JSON_TYPE, body: null }
  }
  return { type: random.pick([JSON_TYPE, FORM_TYPE]), body: bytesNear(random, text) }
}

function formNear(random: SeededRandom, { examples, values = {} }: Model): string {
  const fields = Object.entries(Object(random.pick(examples))).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const good = random.happens(0.5) ? (values[name] ?? [text]) : [text]
    return [name, random.happens(0.7) ? random.pick(good) : textNear(random, good)]
  })
  if (random.happens(0.1)) {
    fields.push(random.pick(fields), [random.pick(PIECES), random.pick(PIECES)])
  }

  const form = new URLSearchParams(fields).toString()
  return random.happens(0.1) ? textNear(random, [form], 40_000) : form
}

function bytesNear(random: SeededRandom, text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Buffer.from(text.slice(0, 5_000), random.pick(['utf8', 'latin1', 'utf16le'])))
  for (let left = random.between(0, 3); left > 0 && bytes.length > 0; left--) {
    bytes[random.between(0, bytes.length - 1)] = random.between(0, 255)
  }

  return bytes
}
