import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTerminal } from '../support/terminal.ts'

test('a refused start of serve is one line of JSON, as the log is, unless a person reads it', async () => {
  const { run } = createTerminal({ GATEWAY_BASE_URL: undefined, PUBLIC_URL: 'nowhere' })
  const { err } = await run('serve')
  expect(JSON.parse(err)).toMatchObject({
    level: 50,
    exit_code: 78,
    msg: expect.stringMatching(/GATEWAY_BASE_URL is required\.\n.*PUBLIC_URL must be/s),
  })
  expect(err.trimEnd()).not.toContain('\n')
  expect((await run('serve', { isWatched: true, isShown: true })).err).toContain(
    'GATEWAY_BASE_URL is required.\n',
  )
  expect((await run('check')).err).not.toContain('{')
})

test('an error about a secret names the path of a file that cannot be read or is empty, but no secret', async () => {
  const { run, folder } = createTerminal()
  writeFileSync(join(folder, 'empty'), '\n')
  for (const [path, reason] of [
    [join(folder, 'none'), 'which cannot be read: ENOENT'],
    [folder, 'which cannot be read: EISDIR'],
    [join(folder, 'empty'), 'which is empty'],
  ])
    expect((await run('check', { env: { GATEWAY_CONSUMER_SECRET_FILE: path } })).err).toContain(
      `GATEWAY_CONSUMER_SECRET_FILE names the file ${path}, ${reason}.`,
    )
  const { err } = await run('check', { env: { GATEWAY_CONSUMER_SECRET_FILE: 'the-secret-itself' } })
  expect(err).toContain('GATEWAY_CONSUMER_SECRET_FILE names a file, which cannot be read: ENOENT.')
  expect(err).not.toContain('the-secret-itself')
})

test('serve warns that nobody is told of a payment without a webhook', async () => {
  const env = {
    ORDER_SIGNING_KEY: 'a signing key of 32 bytes or more',
    STORE_URL: 'sqlite:/nowhere/store.sqlite',
  }
  const warning = 'MERCHANT_WEBHOOK_URL is not set: nobody is told of a payment.'
  expect((await createTerminal(env).run('serve')).out).toContain(warning)
  const MERCHANT_WEBHOOK_SECRET = 'whsec_MTIzNDVhYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5eg=='
  const webhook = { MERCHANT_WEBHOOK_URL: 'http://127.0.0.1:1/events', MERCHANT_WEBHOOK_SECRET }
  const { out, err } = await createTerminal({ ...env, ...webhook }).run('serve')
  expect([out, err]).toEqual(['', expect.stringContaining('/nowhere/store.sqlite')])
})

test('check names the calls that take a function "orders" if no other source of orders is set', async () => {
  expect((await createTerminal().run('check')).out).toContain(
    'pass the function "orders" to embed, start or createApp.',
  )
})
