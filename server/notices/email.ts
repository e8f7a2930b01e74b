/** Tells people by e-mail, over any SMTP server. */

import { connect } from 'node:net'

import { isPrivateHost } from '../contract/private-host.ts'
import { createMask } from '../http/masked-fetch.ts'
import { lookupOf } from '../http/pooled-fetch.ts'
import { withTimeout } from '../work/clock.ts'
import { NoticeError } from './tell.ts'

import type { Config } from '../config/config.ts'
import type { NoticeSettings } from '../config/notices.ts'
import type { Mask } from '../http/exchange.ts'
import type { Clock } from '../work/clock.ts'
import type { Tell } from './tell.ts'
import type { LookupFunction, Socket } from 'node:net'
import type { NodemailerError } from 'nodemailer'

type EmailSettings = NonNullable<NoticeSettings['email']>

interface EmailOptions {
  settings: EmailSettings
  config: Pick<Config, 'privateHosts' | 'publicUrl'>
  clock: Clock
  /** Resolves host names. Default: the resolver of the system. */
  lookup?: LookupFunction | undefined
}

/** How long a delivery may take, and how long the server may be silent, in milliseconds. */
const DEADLINE_MS = 60_000
const SILENCE_MS = 20_000

/**
 * Returns the function that sends an e-mail. Without TLS, nothing is sent to a server on the internet: one that offers
 * none is refused, and so is a certificate of somebody else.
 */
export function tellByEmail({ settings, config, clock, lookup }: EmailOptions): Tell {
  const { smtp, from, to } = settings
  const { privateHosts, publicUrl } = config
  const isNamed = privateHosts !== 'any' && privateHosts.includes(smtp.host)
  const mask = createMask(smtp.login === null ? [] : [smtp.login.password.reveal()])
  const late = new NoticeError(
    `The SMTP server ${smtp.host} did not finish within ${DEADLINE_MS / 1000} seconds.`,
  )
  return async ({ id, title, text }) => {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      host: smtp.host,
      port: smtp.port,
      secure: smtp.isSecure,
      requireTLS: !isNamed && !isPrivateHost(smtp.host),
      ...(smtp.login && { auth: { user: smtp.login.user, pass: smtp.login.password.reveal() } }),
      connectionTimeout: SILENCE_MS,
      greetingTimeout: SILENCE_MS,
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
      getSocket: (_, opened) => openSocket({ smtp, privateHosts, lookup }, opened),
    })
    const mail = {
      from,
      to: [...to],
      subject: title,
      text,
      // Equal in every delivery: a mailbox shows it once, or the reader sees that it is the same.
      messageId: `<${id}@${new URL(publicUrl).hostname}>`,
      date: new Date(clock.now()),
      headers: { 'auto-submitted': 'auto-generated' },
    }
    const sent = await withTimeout(DEADLINE_MS, clock, () => transport.sendMail(mail).catch(explain), late)
    return sent.rejected.length === 0 ? null : refusalOf(settings, sent.rejected.map(String), '')
  }

  function explain(error: NodemailerError): never {
    throw new NoticeError(describe(error, settings, mask))
  }
}

type Opened = (error: Error | null, socket: { connection: Socket } | false) => void

/** Opens a connection, which is TLS only later, to an address that may be reached (`http/pooled-fetch.ts`). */
function openSocket(
  {
    smtp: { host, port },
    privateHosts,
    lookup,
  }: { smtp: EmailSettings['smtp'] } & Pick<EmailOptions, 'lookup'> & Pick<Config, 'privateHosts'>,
  opened: Opened,
): void {
  let allowed: LookupFunction
  try {
    allowed = lookupOf(host, privateHosts, lookup)
  } catch (error) {
    return opened(error instanceof Error ? error : new Error(String(error)), false)
  }

  const plainHost = host.replace(/^\[|\]$/g, '')
  const connection = connect({ host: plainHost, port, lookup: allowed })
  const fail = (error: Error) => opened(error, false)
  connection.once('error', fail)
  connection.once('connect', () => {
    connection.off('error', fail)
    opened(null, { connection })
  })
}

/** Says what a server refuses, and which variable to change. */
function describe(error: NodemailerError, settings: EmailSettings, mask: Mask): string {
  const { smtp, from, to } = settings
  const words = mask(error.response ?? error.message)
  if (error.code === 'EAUTH') {
    return `The SMTP server ${smtp.host} refuses the user or the password of NOTIFY_SMTP_URL: ${words}. Some providers want a password for apps.`
  }
  if (error.code === 'EENVELOPE' && error.command === 'MAIL FROM') {
    return `The SMTP server ${smtp.host} refuses the sender ${from} (NOTIFY_FROM): ${words}`
  }
  if (error.code === 'EENVELOPE') {
    return refusalOf(settings, to, `: ${words}`)
  }
  if (error.code === 'ETLS') {
    return `The SMTP server ${smtp.host} offers no TLS that can be trusted: ${words}`
  }
  return `The SMTP server ${smtp.host}:${smtp.port} of NOTIFY_SMTP_URL does not take the message: ${words}`
}

function refusalOf({ smtp }: EmailSettings, addresses: readonly string[], words: string): string {
  return `The SMTP server ${smtp.host} refuses ${addresses.join(', ')} (NOTIFY_TO)${words}`
}
