import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { StoreError } from '../../server/store.ts'
import { openStore } from '../../server/store/open.ts'
import { startPostgres } from '../support/postgres.ts'

/** Starts a proxy that cuts each connection on which the client sends the text `sent`, while `isCutting` is `true`. */
async function startCuttingProxy(port: number, sent: string) {
  const state = { isCutting: false }
  const server = createServer((client) => {
    const other = connect(port, '127.0.0.1')
    client.on('data', (data) => {
      if (state.isCutting && data.toString('latin1').includes(sent)) client.destroy()
      else other.write(data)
    })
    other.on('data', (data) => void client.write(data))
    for (const [socket, peer] of [
      [client, other],
      [other, client],
    ] as const)
      socket.on('error', () => {}).on('close', () => peer.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return { state, port: (server.address() as AddressInfo).port }
}

test('a connection that is lost while it is checked fails a request, not the process', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop(), 60_000)
  const url = await postgres.newDatabase()
  const proxy = await startCuttingProxy(postgres.port, 'pg_control_system')
  const store = openStore(url.replace(String(postgres.port), String(proxy.port)))
  onTestFinished(() => store.close())
  await store.ping()
  // The requests need more connections than the one that is open. Each new connection is checked.
  proxy.state.isCutting = true
  const asked = await Promise.allSettled(Array.from({ length: 8 }, () => store.history('a')))
  const lost = asked.filter(({ status }) => status === 'rejected')
  expect(lost.length).toBeGreaterThan(0)
  for (const each of lost) expect(each).toMatchObject({ reason: expect.any(StoreError) })
  proxy.state.isCutting = false
  await Promise.all(Array.from({ length: 8 }, () => store.history('a')))
}, 120_000)
