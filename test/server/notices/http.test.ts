import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'

import { readConfig } from '../../../server/config/config.ts'
import { secretsOf } from '../../../server/config/masked-texts.ts'
import { createMaskedFetch } from '../../../server/http/masked-fetch.ts'
import { createPooledFetch } from '../../../server/http/pooled-fetch.ts'
import { trialOf } from '../../../server/notices/message.ts'
import { tellersOf } from '../../../server/notices/tellers.ts'
import { systemClock } from '../../../server/work/clock.ts'
import { listen } from '../../support/free-port.ts'
import { ENVIRONMENT } from '../../support/worlds/environment.ts'

import type { Environment } from '../../../server/config/variables.ts'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

interface Received {
  url: string
  headers: IncomingHttpHeaders
  body: string
}

const KEY = 'the-key-of-the-seller-at-the-service'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) {
    close()
  }
})

/** A service on loopback, which keeps what it is sent. */
async function openService(answer: (response: ServerResponse, received: Received) => void) {
  const received: Received[] = []

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', headers } = request
    const got = { url, headers, body: await text(request) }
    received.push(got)
    answer(response, got)
  }

  const server = createServer((request, response) => void receive(request, response))
  closing.push(() => server.close())
  return { received, url: await listen(server) }
}

const taken = (response: ServerResponse) => void response.writeHead(202).end('queued')

/** Sends the trial. Resolves with why nobody was told; `null` if somebody was. */
async function told(env: Environment, privateHosts?: readonly string[]): Promise<string | null> {
  const config = readConfig({ ...ENVIRONMENT, ...env })
  const pooled = createPooledFetch(privateHosts ? { ...config, privateHosts } : config)
  const fetch = createMaskedFetch(pooled, secretsOf(config))
  const [teller] = tellersOf(config, { fetch, clock: systemClock })
  return teller!.tell(trialOf('ntc_1'), '').then(
    () => null,
    (error: Error) => error.message,
  )
}

describe('a request to a service', () => {
  test('a request to a service has the headers, the query and the body that are configured', async () => {
    const { received, url } = await openService(taken)
    const env = {
      NOTIFY_URL: `${url}/v1/send?key=${KEY}`,
      NOTIFY_HEADERS: `{"X-Api-Key":"${KEY}"}`,
      NOTIFY_BODY: '{"to":["+254711"],"message":"{title}"}',
    }
    expect(await told(env)).toBe(null)
    expect(received).toEqual([
      {
        url: `/v1/send?key=${KEY}`,
        headers: expect.objectContaining({
          'x-api-key': KEY,
          'content-type': 'application/json',
          'idempotency-key': 'ntc_1',
        }),
        body: '{"to":["+254711"],"message":"Test: this is how you are told of a payment"}',
      },
    ])
  })

  test.each([
    ['form', 'to=%2B254711&text={title}', 'application/x-www-form-urlencoded'],
    ['text', '{title}', 'text/plain; charset=utf-8'],
  ])('a request to a service says the type of its body: %s', async (NOTIFY_TYPE, NOTIFY_BODY, type) => {
    const { received, url } = await openService(taken)
    expect(await told({ NOTIFY_URL: url, NOTIFY_TYPE, NOTIFY_BODY })).toBe(null)
    expect(received).toMatchObject([{ headers: { 'content-type': type } }])
  })

  test('a request to a service that is refused is named, without the secrets that the service repeats', async () => {
    const { url } = await openService((response, { headers, url: path }) => {
      response.writeHead(401).end(`No key ${String(headers['x-api-key'])} at ${path}`)
    })
    const why = await told({
      NOTIFY_URL: `${url}/v1/send/${KEY}-in-the-path`,
      NOTIFY_HEADERS: `{"X-Api-Key":"${KEY}"}`,
      NOTIFY_BODY: '{"text":"{text}"}',
    })
    expect(why).toBe(
      `The service at NOTIFY_URL (${url}) responds with HTTP 401, and probably refuses the key of NOTIFY_HEADERS or NOTIFY_URL: No [secret] [secret] [secret] [secret]`,
    )
  })

  test('a request to a service that is refused is named without secrets, however short they are', async () => {
    const words = 'token abc7, user shop with pa55, key k9, Basic c2hvcDpwYTU1: %70%61%35%35, \\u0070a55'
    const { url } = await openService((response) => void response.writeHead(400).end(words))
    const why = await told({
      NOTIFY_URL: `${url}/send?key=k9`,
      NOTIFY_HEADERS: '{"Authorization":"Basic c2hvcDpwYTU1","X-Token":"abc7"}',
      NOTIFY_BODY: '{"text":"{text}"}',
    })
    expect(why).toBe(
      `The service at NOTIFY_URL (${url}) responds with HTTP 400: token [secret], user [secret] with [secret], [secret] [secret], [secret]: [secret], [secret]`,
    )
  })

  test('a request to a service that is refused is named without the parts of its address, in whatever case', async () => {
    const words = 'no hook at k/S3Cr3t of Team-7, nor SHOP1 or q8'
    const { url } = await openService((response) => void response.writeHead(400).end(words))
    const why = await told({
      NOTIFY_URL: `${url}/team%2D7/s3cr3t?to=shop1&Q8`,
      NOTIFY_BODY: '{"text":"{text}"}',
    })
    expect(why).toBe(
      `The service at NOTIFY_URL (${url}) responds with HTTP 400: no hook at k/[secret] of [secret]-7, nor [secret] or [secret]`,
    )
  })

  test.each([
    ['after a scheme of its own', '/send', '{"Authorization":"Token token=pw3Kd81x"}'],
    ['in quotes', '/send', '{"Authorization":"Key id=\\"7\\", key=\\"pw3Kd81x\\""}'],
    ['after a user in the query', '/send?auth=shop:pw3Kd81x', '{}'],
    ['in an encoded pair in the query', '/send?key=a%3Dpw3Kd81x', '{}'],
    ['behind a parameter of the path', '/send;key=pw3Kd81x', '{}'],
    ['after the name of a bot', '/bot123456:pw3Kd81x/send', '{}'],
    ['in base64 in the query', '/send?auth=c2hvcDpwdzNLZDgxeA', '{}'],
  ])('a password for a service is hidden wherever it is configured: %s', async (_, path, headers) => {
    const words = 'Unknown: pw3Kd81x, \0p\0w\x003\0K\0d\x008\x001\0x, ｐｗ３Ｋｄ８１ｘ'
    const { url } = await openService((response) => void response.writeHead(400).end(words))
    const why = await told({
      NOTIFY_URL: url + path,
      NOTIFY_HEADERS: headers,
      NOTIFY_BODY: '{"text":"{text}"}',
    })
    expect(why).toMatch(/HTTP 400: Unknown: \[secret\], \[secret\], \[secret\]$/)
  })

  test('a password for a service is hidden in the address to which it redirects', async () => {
    const { url } = await openService((response) => {
      response.writeHead(302, { location: '/login/pw3Kd81x' }).end()
    })
    const env = { NOTIFY_URL: `${url}/send?auth=shop:pw3Kd81x`, NOTIFY_BODY: '{"text":"{text}"}' }
    expect(await told(env)).toMatch(
      /redirects with HTTP 302 to \S+\/login\/\[secret\], which is not followed/,
    )
  })

  test('a request to a service follows no redirect, and reaches no private address', async () => {
    const moved = await openService((response) => {
      response.writeHead(302, { location: `http://127.0.0.1:9/${KEY}` }).end()
    })
    const env = { NOTIFY_URL: `${moved.url}/send`, NOTIFY_BODY: '{"text":"{text}"}' }
    expect(await told(env)).toContain('redirects with HTTP 302')
    expect(await told(env, [])).toContain(
      '127.0.0.1 has a private address, and PRIVATE_HOSTS does not name it.',
    )
    expect(moved.received).toHaveLength(1)
  })
})

/** Returns the problems with these variables. */
function problemsOf(env: Environment): string[] {
  try {
    readConfig({ ...ENVIRONMENT, ...env })
    return []
  } catch (error) {
    return String(error)
      .split('\n  - ')
      .filter((problem) => problem.startsWith('NOTIFY'))
  }
}

const MAIL = {
  NOTIFY_SMTP_URL: 'smtps://me%40shop.example:p%40ss@smtp.example',
  NOTIFY_TO: 'me@shop.example',
}

describe('the variables', () => {
  test.each<[string, Environment, string]>([
    ['nobody to write to', { NOTIFY_TO: '' }, 'NOTIFY_TO is required.'],
    ['no server', { NOTIFY_SMTP_URL: '' }, 'NOTIFY_SMTP_URL is required, or NOTIFY_SMTP_URL_FILE'],
    [
      'no address',
      { NOTIFY_TO: 'me@shop.example,shop' },
      'NOTIFY_TO has "shop", which is not an e-mail address.',
    ],
    ['another scheme', { NOTIFY_SMTP_URL: 'https://smtp.example' }, 'NOTIFY_SMTP_URL must be smtps://USER'],
    [
      'an @ that is not encoded',
      { NOTIFY_SMTP_URL: 'smtps://me:p%ss@smtp.example' },
      'NOTIFY_SMTP_URL must be',
    ],
    [
      'a user of two lines',
      { NOTIFY_SMTP_URL: 'smtps://me%0D%0ARCPT:pass@smtp.example' },
      'NOTIFY_SMTP_URL must be',
    ],
    [
      'a password with a line break',
      { NOTIFY_SMTP_URL: 'smtps://me:pass%0A@smtp.example' },
      'NOTIFY_SMTP_URL must be',
    ],
    [
      'a password with a NUL, which divides what is sent',
      { NOTIFY_SMTP_URL: 'smtps://me:pa%00ss@smtp.example' },
      'NOTIFY_SMTP_URL must be',
    ],
    ['a user alone', { NOTIFY_SMTP_URL: 'smtps://me@smtp.example' }, 'NOTIFY_SMTP_URL must be'],
    ['no body', { NOTIFY_URL: 'https://sms.example' }, 'NOTIFY_BODY is required.'],
    ['no address for a body', { NOTIFY_BODY: '[{text}]' }, 'NOTIFY_URL is required'],
    ['no address for headers', { NOTIFY_HEADERS: '{}' }, 'NOTIFY_URL is required'],
    [
      'a header that breaks a line',
      { NOTIFY_URL: 'https://sms.example', NOTIFY_BODY: '[{text}]', NOTIFY_HEADERS: '{"A":"b\\r\\nC: d"}' },
      'NOTIFY_HEADERS must be a JSON object of headers',
    ],
    [
      'a template of another type',
      { NOTIFY_URL: 'https://sms.example', NOTIFY_BODY: 'to={text}' },
      'NOTIFY_BODY must be JSON when its values are put in, or NOTIFY_TYPE another type.',
    ],
    [
      'a body that says nothing of what has happened',
      { NOTIFY_URL: 'https://sms.example', NOTIFY_BODY: '{"sum":{amount}}' },
      'NOTIFY_BODY must have {text} or {title}: ',
    ],
    ...[
      ...'Expect Connection Keep-Alive TE Trailer Upgrade Transfer-Encoding Content-Encoding Proxy-Authorization'.split(
        ' ',
      ),
      ...'Host Content-Length Content-Type Accept-Encoding Via Sec-Fetch-Mode Idempotency-Key'.split(' '),
    ].map((name): [string, Environment, string] => [
      `the header ${name}, which nobody can set`,
      {
        NOTIFY_URL: 'https://sms.example',
        NOTIFY_BODY: '[{text}]',
        NOTIFY_HEADERS: JSON.stringify({ 'X-Key': KEY, [name]: 'x' }),
      },
      'NOTIFY_HEADERS must be a JSON object of headers',
    ]),
    [
      'a header twice',
      {
        NOTIFY_URL: 'https://sms.example',
        NOTIFY_BODY: '[{text}]',
        NOTIFY_HEADERS: '{"X-Key":"a","x-key":"b"}',
      },
      'NOTIFY_HEADERS must be a JSON object of headers',
    ],
    ['a list of commas', { NOTIFY_TO: ' , ,' }, 'NOTIFY_TO has no entry.'],
  ])('the variables about notices are refused by name: %s', (_, env, problem) => {
    expect(problemsOf({ ...MAIL, ...env })).toEqual([expect.stringContaining(problem)])
  })

  test('the variables about notices are read', () => {
    const { notices } = readConfig({ ...ENVIRONMENT, ...MAIL, NOTIFY_FROM: 'shop@shop.example' })
    const login = { user: 'me@shop.example', password: expect.anything() }
    expect(notices).toEqual({
      email: {
        smtp: { host: 'smtp.example', port: 465, isSecure: true, login },
        from: 'shop@shop.example',
        to: ['me@shop.example'],
      },
      http: null,
    })
    expect(JSON.stringify(notices)).not.toContain('p@ss')
  })

  test.each([
    ['смтп.рф', 'xn--l1agef.xn--p1ai'],
    ['ｓmtp.example', 'smtp.example'],
    ['SMTP.Example', 'smtp.example'],
    ['127.1', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['[0:0::1]', '[::1]'],
  ])('the variables about notices name the host that is reached: %s', (given, host) => {
    const { notices } = readConfig({ ...ENVIRONMENT, ...MAIL, NOTIFY_SMTP_URL: `smtp://a:b@${given}:25` })
    expect(notices?.email?.smtp).toMatchObject({ host, port: 25 })
  })

  test.each(['127.1', '0x7f.1', '10.1', '[::ffff:10.0.0.1]'])(
    'the variables about notices name no private address in production, however it is written: %s',
    (host) => {
      const env = { GATEWAY_ENVIRONMENT: 'production', ...MAIL, NOTIFY_SMTP_URL: `smtp://a:b@${host}` }
      expect(problemsOf(env)).toEqual([expect.stringContaining('NOTIFY_SMTP_URL names a private address')])
    },
  )

  test('the variables about notices name the host of a mail server that is one', () => {
    const NOTIFY_SMTP_URL = 'smtp://a:b@1.2.3.4.5'
    expect(problemsOf({ ...MAIL, NOTIFY_SMTP_URL })).toEqual([
      expect.stringContaining('NOTIFY_SMTP_URL must be'),
    ])
  })

  test('the variables about notices name each reader once, who may be written in another case', () => {
    const NOTIFY_TO = 'me@shop.example, aunt@shop.example, ME@Shop.example, me@shop.example,'
    const { notices } = readConfig({ ...ENVIRONMENT, ...MAIL, NOTIFY_TO })
    expect(notices?.email?.to).toEqual(['me@shop.example', 'aunt@shop.example'])
  })

  test.each<[string, Environment, string]>([
    [
      'http',
      { NOTIFY_URL: 'http://sms.example/', NOTIFY_BODY: '[{text}]' },
      'NOTIFY_URL must be https in production',
    ],
    [
      'private',
      { NOTIFY_URL: 'https://10.0.0.1/', NOTIFY_BODY: '[{text}]' },
      'NOTIFY_URL names a private address',
    ],
    ['private', { ...MAIL, NOTIFY_SMTP_URL: 'smtp://10.0.0.1' }, 'NOTIFY_SMTP_URL names a private address'],
  ])('the variables about notices are refused in production: %s', (_, env, problem) => {
    const live = { GATEWAY_ENVIRONMENT: 'production', ...env }
    expect(problemsOf(live)).toEqual([expect.stringContaining(problem)])
    const host = /\/\/([^/:]+)/.exec(env.NOTIFY_URL ?? env.NOTIFY_SMTP_URL ?? '')?.[1]
    expect(problemsOf({ ...live, PRIVATE_HOSTS: host })).toEqual([])
  })
})
