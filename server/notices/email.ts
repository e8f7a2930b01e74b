/** Tells people by e-mail, over any SMTP server. */

import { connect, isIP } from 'node:net'

import { isPrivateAddress, isPrivateHost } from '../contract/private-host.ts'
import { lookupOf } from '../http/lookup.ts'
import { createMask } from '../http/masked-fetch.ts'
import { withTimeout } from '../work/clock.ts'
import { NoticeError, SHORTEST_SECRET } from './tell.ts'

import type { Config } from '../config/config.ts'
import type { NoticeSettings } from '../config/notices.ts'
import type { Mask } from '../http/exchange.ts'
import type { Clock } from '../work/clock.ts'
import type { Failure, Tell } from './tell.ts'
import type { LookupFunction, Socket } from 'node:net'
import type { NodemailerError } from 'nodemailer'

type EmailSettings = NonNullable<NoticeSettings['email']>

interface EmailOptions {
  settings: EmailSettings
  config: Pick<Config, 'privateHosts' | 'publicUrl'>
  clock: Clock
  /** Resolves host names. Default: the lookup function of this process. */
  lookup?: LookupFunction | undefined
}

/** How long it may take until a server has the whole message, in milliseconds. */
const DEADLINE_MS = 60_000
/** How long a server may then say nothing, in milliseconds. RFC 5321, 4.5.3.2.6: who gives up earlier sends copies. */
const ANSWER_MS = 10 * 60_000
/** How long a server may say nothing when it is connected, in milliseconds. */
const SILENCE_MS = 20_000

/**
 * Returns the function that sends an e-mail. Without TLS, nothing is sent to a server on the internet: one that offers
 * none is refused, and so is a certificate of somebody else.
 */
export function tellByEmail({ settings, config, clock, lookup }: EmailOptions): Tell {
  const { smtp, from } = settings
  const { privateHosts, publicUrl } = config
  const isNamed = privateHosts !== 'any' && privateHosts.includes(smtp.host)
  const mask = createMask(secretsOf(smtp), SHORTEST_SECRET)
  return async ({ id, title, text }, reader) => {
    const { createTransport } = await import('nodemailer')
    const over = new AbortController()
    const transport = createTransport({
      host: smtp.host,
      port: smtp.port,
      secure: smtp.isSecure,
      requireTLS: !isNamed && !isPrivateHost(smtp.host),
      ...(smtp.login && { auth: { user: smtp.login.user, pass: smtp.login.password.reveal() } }),
      connectionTimeout: SILENCE_MS,
      greetingTimeout: SILENCE_MS,
      socketTimeout: ANSWER_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
      getSocket: (_, opened) => openSocket({ smtp, privateHosts, lookup, signal: over.signal }, opened),
    })

    let isHandedOver = false
    const handedOver = new Promise<void>((resolve) => {
      transport.use('stream', ({ message }, done) => {
        message?.processFunc((lines) =>
          lines.once('end', () => {
            isHandedOver = true
            resolve()
          }),
        )
        done()
      })
    })
    const mail = {
      from,
      to: reader,
      subject: title,
      text,
      // Equal in every delivery: a mailbox shows it once, or the reader sees that it is the same.
      messageId: `<${id}@${new URL(publicUrl).hostname}>`,
      date: new Date(clock.now()),
      headers: { 'auto-submitted': 'auto-generated' },
    }
    const sent = transport.sendMail(mail).catch((error: NodemailerError) => {
      throw new NoticeError(describe(error, settings, reader, mask), failureOf(error, isHandedOver))
    })
    const isWithServer = () => Promise.race([sent, handedOver])
    try {
      await withTimeout(DEADLINE_MS, clock, isWithServer, lateAfter(DEADLINE_MS, 'away'))
      await withTimeout(ANSWER_MS, clock, () => sent, lateAfter(ANSWER_MS, 'unanswered'))
    } finally {
      // What counts as not taken cannot be taken any more.
      over.abort()
      sent.catch(() => {})
    }
  }

  function lateAfter(ms: number, failure: Failure): NoticeError {
    const what = failure === 'away' ? 'take the message' : 'say whether it has taken the message'
    return new NoticeError(
      `The SMTP server ${smtp.host} did not ${what} within ${ms / 1000} seconds.`,
      failure,
    )
  }
}

/** Returns what a server may repeat of a login: the password, and how it is sent. */
function secretsOf({ login }: EmailSettings['smtp']): string[] {
  if (login === null) {
    return []
  }

  const password = login.password.reveal()
  const sent = [password, `\0${login.user}\0${password}`]
  return [password, ...sent.map((text) => Buffer.from(text).toString('base64'))]
}

/** A server that says goodbye (421), or refuses the password, takes no message now. */
function failureOf({ responseCode, code }: NodemailerError, isHandedOver: boolean): Failure {
  if (responseCode === undefined) {
    return isHandedOver ? 'unanswered' : 'away'
  }
  return responseCode === 421 || code === 'EAUTH' ? 'away' : 'refused'
}

type Opened = (error: Error | null, socket: { connection: Socket; requireTLS?: true } | false) => void

type SocketOptions = { smtp: EmailSettings['smtp']; signal: AbortSignal } & Pick<EmailOptions, 'lookup'> &
  Pick<Config, 'privateHosts'>

/**
 * Opens a connection, which is TLS only later, to an address that may be reached (`http/lookup.ts`). If the name
 * leads to a public address, TLS is required, whatever PRIVATE_HOSTS names. The connection ends when the signal aborts.
 */
function openSocket(
  { smtp: { host, port }, privateHosts, lookup, signal }: SocketOptions,
  opened: Opened,
): void {
  let allowed: LookupFunction
  try {
    allowed = lookupOf(host, privateHosts, lookup)
  } catch (error) {
    return opened(error instanceof Error ? error : new Error(String(error)), false)
  }

  const plainHost = host.replace(/^\[|\]$/g, '')
  const addresses: string[] = []

  const noted: LookupFunction = (name, options, callback) =>
    allowed(name, options, (error, found, family) => {
      addresses.push(...[found].flat().map((each) => (typeof each === 'string' ? each : each.address)))
      callback(error, found, family)
    })

  const connection = connect({ host: plainHost, port, lookup: noted })
  const fail = (error: Error) => opened(error, false)
  connection.once('error', fail)
  connection.once('connect', () => {
    connection.off('error', fail)
    const { remoteAddress = '' } = connection
    const isPublic = [...addresses, remoteAddress].some((each) => isIP(each) !== 0 && !isPrivateAddress(each))
    opened(null, { connection, ...(isPublic && { requireTLS: true }) })
  })
  signal.addEventListener('abort', () => connection.destroy(), { once: true })
}

/** Says what a server refuses, and which variable to change. */
function describe(error: NodemailerError, { smtp, from }: EmailSettings, reader: string, mask: Mask): string {
  const words = mask(error.response ?? error.message)
  if (error.code === 'EAUTH') {
    return `The SMTP server ${smtp.host} refuses the user or the password of NOTIFY_SMTP_URL: ${words}. Some providers want a password for apps.`
  }
  if (error.code === 'EENVELOPE' && error.command === 'MAIL FROM') {
    return `The SMTP server ${smtp.host} refuses the sender ${from} (NOTIFY_FROM): ${words}`
  }
  if (error.code === 'EENVELOPE') {
    return `The SMTP server ${smtp.host} refuses ${reader} (NOTIFY_TO): ${words}`
  }
  if (error.code === 'ETLS') {
    return `The SMTP server ${smtp.host} offers no TLS that can be trusted: ${words}`
  }
  return `The SMTP server ${smtp.host}:${smtp.port} of NOTIFY_SMTP_URL does not take the message: ${words}`
}
