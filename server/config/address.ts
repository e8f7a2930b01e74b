/** Reads the addresses that an operator writes: each names one host, to which one can connect. Pure. */

import { parseUrl } from '../contract/parse.ts'

/** A name of one host, or its address: no `*` covers several hosts, and no comma names another one. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])$/
/** To who listens, port 0 is any free one; nobody can connect to it. */
const NO_PORT = '0'

/** Parses a URL of any scheme, but for one to whose port nobody can connect. */
export function parseReachable(text: string): URL | null {
  const url = parseUrl(text)
  return url?.port === NO_PORT ? null : url
}

/** Parses an http(s) URL with one host, to which one can connect. */
export function parseAddress(text: string): URL | null {
  const url = parseReachable(text)
  return url && /^https?:$/.test(url.protocol) && HOST.test(url.hostname) ? url : null
}

export const ADDRESS_RULE = 'an absolute http(s) URL of one host, without a user or a password'

/** Returns whether a text is an http(s) URL without a user and a password, which would not be sent. */
export function isAddress(text: string): boolean {
  const url = parseAddress(text)
  return url !== null && url.username === '' && url.password === ''
}

/** Returns whether a text is the origin of a page on the web, or inside an app, such as capacitor://localhost. */
export function isOrigin(text: string): boolean {
  if (/^https?:/.test(text)) {
    return parseAddress(text)?.origin === text
  }

  return /^(?!https?:|wss?:|ftp:|file:|data:|blob:|about:|javascript:)[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+$/.test(
    text,
  )
}
