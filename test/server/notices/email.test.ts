import { afterEach, describe, expect, test, vi } from 'vitest'

import { createTimeline } from '../../../demo/sandbox/index.ts'
import { readConfig } from '../../../server/config/config.ts'
import { tellByEmail } from '../../../server/notices/email.ts'
import { trialOf } from '../../../server/notices/message.ts'
import { tellersOf } from '../../../server/notices/tellers.ts'
import { systemClock } from '../../../server/work/clock.ts'
import { ENVIRONMENT } from '../../support/worlds/environment.ts'
import { openMailbox } from '../../support/worlds/mailbox.ts'

import type { Config } from '../../../server/config/config.ts'
import type { Environment } from '../../../server/config/variables.ts'
import type { NoticeError } from '../../../server/notices/tell.ts'
import type { Clock } from '../../../server/work/clock.ts'
import type { Mailbox } from '../../support/worlds/mailbox.ts'
import type { LookupFunction } from 'node:net'

const PASSWORD = 'p@ss/word: of % a seller'
const opened: Mailbox[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((mailbox) => mailbox.close()))
})

async function mailboxOf(...options: Parameters<typeof openMailbox>): Promise<Mailbox> {
  const mailbox = await openMailbox(...options)
  opened.push(mailbox)
  return mailbox
}

/** Sends the trial to each reader. Resolves with why one of them was not told; `null` if all were. */
async function told(
  NOTIFY_SMTP_URL: string,
  env: Environment = {},
  clock: Clock = systemClock,
): Promise<NoticeError | null> {
  const given = { NOTIFY_SMTP_URL, NOTIFY_TO: 'owner@shop.example', ...env }
  const config = readConfig({ ...ENVIRONMENT, ...given })
  const fetch = () => Promise.reject(new Error('No request is made.'))
  const [teller] = tellersOf(config, { fetch, clock })
  const tellings = teller!.readers.map((reader) => teller!.tell(trialOf('ntc_1'), reader))
  const results = await Promise.allSettled(tellings)
  return results.find((result) => result.status === 'rejected')?.reason ?? null
}

describe('an e-mail', () => {
  test('an e-mail reaches all its readers, and says which message it is', async () => {
    const mailbox = await mailboxOf()
    const NOTIFY_TO = 'owner@shop.example, aunt@shop.example'
    expect(await told(mailbox.url(), { NOTIFY_TO })).toBe(null)
    const mail = {
      from: 'owner@shop.example',
      subject: 'Test: this is how you are told of a payment',
      messageId: '<ntc_1@127.0.0.1>',
      text: 'Test: this is how you are told of a payment\nNobody has paid.',
      isEncrypted: false,
    }
    expect(mailbox.mails).toHaveLength(2)
    expect(mailbox.mails).toContainEqual({ ...mail, to: ['owner@shop.example'] })
    expect(mailbox.mails).toContainEqual({ ...mail, to: ['aunt@shop.example'] })
  })

  test('an e-mail has the sender that the server wants', async () => {
    const mailbox = await mailboxOf()
    await told(mailbox.url(), { NOTIFY_FROM: 'shop@provider.example' })
    expect(mailbox.mails).toMatchObject([{ from: 'shop@provider.example' }])
  })

  test('an e-mail is sent with the user and the password of the URL', async () => {
    const mailbox = await mailboxOf({ password: PASSWORD })
    expect(await told(mailbox.url())).toBe(null)
    expect(mailbox.logins).toEqual([`seller:${PASSWORD}`])
    expect(mailbox.mails).toHaveLength(1)
  })

  test.each(['smtps', 'starttls'] as const)('never goes to a stranger with TLS: %s', async (tls) => {
    const mailbox = await mailboxOf({ tls, password: PASSWORD })
    expect((await told(mailbox.url()))?.message).toMatch(/self-signed certificate/)
    expect(mailbox.logins).toEqual([])
    expect(mailbox.mails).toEqual([])
  })
})

describe('what an SMTP server refuses is named', () => {
  test('what an SMTP server refuses is named: the password, and not what it is', async () => {
    const mailbox = await mailboxOf({ password: PASSWORD })
    const why = await told(mailbox.url('seller:another%20password%20of%20a%20seller@'))
    expect(why).toMatchObject({
      failure: 'away',
      message: expect.stringMatching(
        /^The SMTP server 127.0.0.1 refuses the user or the password of NOTIFY_SMTP_URL: 535/,
      ),
    })
    expect(why?.message).not.toContain('another password')
    expect(mailbox.mails).toEqual([])
  })

  test.each(['pa55', 'x'])(
    'what an SMTP server refuses is named: the password, however short it is: %s',
    async (password) => {
      const mailbox = await mailboxOf({ password: 'another' })
      const { message = '' } = (await told(mailbox.url(`seller:${password}@`))) ?? {}
      expect(message).toContain('Wrong [secret]')
      expect(message.split('535')[1]).not.toContain(password)
    },
  )

  test('what an SMTP server refuses is named: the only address', async () => {
    const mailbox = await mailboxOf({ refused: ['owner@shop.example'] })
    const message = expect.stringContaining(
      'The SMTP server 127.0.0.1 refuses owner@shop.example (NOTIFY_TO): 550',
    )
    const why = await told(mailbox.url(), { NOTIFY_FROM: 'me@shop.example' })
    expect(why).toMatchObject({ failure: 'refused', message })
  })

  test('what an SMTP server refuses is named: one address of two, and the other gets it', async () => {
    const mailbox = await mailboxOf({ refused: ['aunt@shop.example'] })
    const why = await told(mailbox.url(), { NOTIFY_TO: 'owner@shop.example,aunt@shop.example' })
    expect(why?.message).toContain('The SMTP server 127.0.0.1 refuses aunt@shop.example (NOTIFY_TO): 550')
    expect(mailbox.mails).toMatchObject([{ to: ['owner@shop.example'] }])
  })

  test('what an SMTP server refuses is named: the sender', async () => {
    const mailbox = await mailboxOf({ refused: ['me@shop.example'] })
    const why = await told(mailbox.url(), { NOTIFY_FROM: 'me@shop.example' })
    expect(why?.message).toContain('refuses the sender me@shop.example (NOTIFY_FROM): 550')
  })

  test('what an SMTP server refuses is named: a server that does not listen', async () => {
    const mailbox = await mailboxOf()
    await Promise.all(opened.splice(0).map((each) => each.close()))
    const what = new RegExp(`^The SMTP server 127.0.0.1:${mailbox.port} of NOTIFY_SMTP_URL .*ECONNREFUSED`)
    expect(await told(mailbox.url())).toMatchObject({
      failure: 'away',
      message: expect.stringMatching(what),
    })
  })
})

describe('an SMTP server that says nothing', () => {
  test.each([
    ['greeting', 60_000, 'away', 'did not take the message within 60 seconds'],
    ['message', 600_000, 'unanswered', 'did not say whether it has taken the message within 600 seconds'],
  ] as const)(
    'an SMTP server that says nothing is left, and its connection ends: %s',
    async (silentAt, ms, failure, words) => {
      const mailbox = await mailboxOf({ silentAt })
      const clock = createTimeline({ wall: null, start: 0, settle: async () => {} })
      const telling = told(mailbox.url(), {}, clock)
      await vi.waitFor(() => expect(mailbox.connections()).toBe(1), { timeout: 20_000 })
      const taken = silentAt === 'message' ? 1 : 0
      await vi.waitFor(() => expect(mailbox.mails).toHaveLength(taken), { timeout: 20_000 })
      await clock.advance(ms)
      expect(await telling).toMatchObject({ failure, message: expect.stringContaining(words) })
      await vi.waitFor(() => expect(mailbox.connections()).toBe(0))
    },
  )
})

describe('an SMTP server', () => {
  const PRODUCTION: Pick<Config, 'privateHosts' | 'publicUrl'> = {
    privateHosts: [],
    publicUrl: 'https://pay.shop.example',
  }

  /** Leads every name to this machine. */
  const lookupHere: LookupFunction = (_, __, callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }])

  /** Leads every name to this machine, and to an address on the internet at which nobody answers. */
  const lookupOutside: LookupFunction = (_, __, callback) =>
    callback(null, [
      { address: '192.0.2.2', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ])

  /** Tells by the mailbox, as if it were at `host`. */
  function tellerAt(host: string, { port }: Mailbox, config = PRODUCTION, lookup = lookupHere) {
    const smtp = { host, port, isSecure: false, login: null }
    const settings = { smtp, from: 'shop@shop.example', to: ['owner@shop.example'] }
    const tell = tellByEmail({ settings, config, clock: systemClock, lookup })
    return () => tell(trialOf('ntc_1'), 'owner@shop.example')
  }

  test.each(['127.0.0.1', 'mail.lan.internal', 'smtp.example'])(
    'an SMTP server at a private address gets no connection, unless it is named: %s',
    async (host) => {
      const mailbox = await mailboxOf()
      const why = `${host} has a private address, and PRIVATE_HOSTS does not name it.`
      await expect(tellerAt(host, mailbox)).rejects.toThrow(why)
      await tellerAt(host, mailbox, { ...PRODUCTION, privateHosts: [host] })()
      expect(mailbox.mails).toMatchObject([{ messageId: '<ntc_1@pay.shop.example>' }])
    },
  )

  test('an SMTP server on the internet that offers no TLS is sent nothing', async () => {
    const mailbox = await mailboxOf()
    const tell = tellerAt('smtp.example', mailbox, { ...PRODUCTION, privateHosts: 'any' })
    await expect(tell).rejects.toThrow('The SMTP server smtp.example offers no TLS that can be trusted')
    expect(mailbox.mails).toEqual([])
  })

  test('an SMTP server that PRIVATE_HOSTS names gets nothing without TLS if its name leads to the internet', async () => {
    const mailbox = await mailboxOf()
    const config = { ...PRODUCTION, privateHosts: ['mail.lan'] }
    await expect(tellerAt('mail.lan', mailbox, config, lookupOutside)).rejects.toThrow(
      'The SMTP server mail.lan offers no TLS that can be trusted',
    )
    expect(mailbox.mails).toEqual([])
    await tellerAt('mail.lan', mailbox, config)()
    expect(mailbox.mails).toHaveLength(1)
  })
})
