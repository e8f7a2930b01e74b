import { expect, test } from 'vitest'
import { silentLog } from '../../server/log/log.ts'
import { embed } from '../../server/start.ts'
import { openStore } from '../../server/store/open.ts'
import { LEAST } from '../support/least-config.ts'
import { localPayout } from '../support/spec-payouts.ts'
import { createTerminal } from '../support/terminal.ts'

const ANOTHER = { GATEWAY_ACCOUNT_NUMBER: 'ACC-777' }
const { GATEWAY_SERVICE_CODE: _, ...PRODUCTION } = LEAST
const REHEARSAL = { ...PRODUCTION, GATEWAY_REHEARSAL: '1' }
const NOTHING = 'There is nothing to adopt: the store has no transactions of another merchant.\n'
const ADOPTED = 'Adopted: they are the transactions of the configured merchant.\n'
const refusalOf = (account: string, queried: number) =>
  `The store has the ${account} transactions of the merchant with the account ACC-001 (still queried: ${queried}), and GATEWAY_ACCOUNT_NUMBER is ACC-777. If this is the same merchant, run "gateway-checkout-server adopt". Another merchant needs another STORE_URL.`

test('a server and commands with other account numbers are refused, until adopt moves the payments', async () => {
  const ORDER_SIGNING_KEY = 'a signing key of at least 32 bytes, for a test'
  const { run, post, get, environment } = createTerminal({ ORDER_SIGNING_KEY })
  await post('/payouts', localPayout)
  const env = ANOTHER
  const refused = refusalOf('sandbox', 1)
  const { code, err } = await run('serve', { env })
  expect([code, JSON.parse(err).msg]).toEqual([78, refused])
  await expect(embed({ env: { ...environment, ...env }, log: silentLog })).rejects.toThrow(refused)
  for (const command of ['events list', 'erase --phone 254700000001'])
    expect(await run(command, { env })).toEqual({ code: 78, out: '', err: `${refused}\n` })
  const { findings } = JSON.parse((await run('check --json', { env })).out)
  expect(findings).toContainEqual({
    what: 'store',
    kind: 'problem',
    detail: expect.stringContaining(refused),
  })

  const running = openStore(String(environment.STORE_URL))
  expect(await run('adopt')).toEqual({ code: 0, out: NOTHING, err: '' })
  expect(await run('adopt', { env })).toEqual({ code: 0, out: `${refused}\n${ADOPTED}`, err: '' })
  await running.close()
  expect(await run('adopt', { env })).toEqual({ code: 0, out: NOTHING, err: '' })
  const { payout_reference } = localPayout
  expect((await get('/payouts', { env })).items).toMatchObject([{ payout_reference }])
  expect((await post('/payouts', localPayout, { env })).code).toBe(0)
  expect((await run('events list')).code).toBe(78)
})

test('in production, adopt asks first, as `api POST` does', async () => {
  const { run } = createTerminal(PRODUCTION)
  await run('events list')
  const env = ANOTHER
  const out = `${refusalOf('production', 0)}\n`
  const err = expect.stringMatching(/pass --yes/)
  expect(await run('adopt', { env })).toEqual({ code: 2, out, err })
  expect(await run('adopt --yes', { env })).toMatchObject({ code: 0, out: out + ADOPTED })
})

test('payments of a rehearsal and of production are never adopted into each other', async () => {
  const { run, post, get } = createTerminal()
  const fetch = () => new Response('{}', { status: 503 })
  await post('/payouts', localPayout, { env: REHEARSAL, fetch })
  for (const env of [{ ...PRODUCTION, ...ANOTHER }, ANOTHER]) {
    expect(await run('adopt', { env })).toEqual({ code: 0, out: NOTHING, err: '' })
    expect((await get('/payouts', { env })).items).toEqual([])
  }
  expect((await get('/payouts', { env: REHEARSAL })).items).toHaveLength(1)
})
