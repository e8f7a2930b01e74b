import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

export interface FreezableProxy {
  port: number
  /**
   * Stops the data on all connections on which the client has sent the text `sent`. Returns the number of these
   * connections.
   */
  freeze(sent: string): number
  refuse(): void
  admit(): void
  redirect(port: number): void
  close(): Promise<void>
}

export async function startProxy(target: number): Promise<FreezableProxy> {
  const open = new Map<Socket, { other: Socket; sent: string }>()
  let isRefusing = false
  const server = createServer((client) => {
    if (isRefusing) return void client.destroy()
    const other = connect(target, '127.0.0.1')
    const connection = { other, sent: '' }
    open.set(client, connection)
    client.on('data', (data) => {
      connection.sent += data.toString('latin1')
      other.write(data)
    })
    other.on('data', (data) => void client.write(data))
    for (const [socket, peer] of [
      [client, other],
      [other, client],
    ] as const) {
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(client)
        peer.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const [client, { other }] of open) for (const socket of [client, other]) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    freeze(sent) {
      const frozen = [...open].filter(([, connection]) => connection.sent.includes(sent))
      for (const [client, { other }] of frozen)
        for (const socket of [client, other]) socket.removeAllListeners('data').pause()
      return frozen.length
    },
    refuse() {
      isRefusing = true
      cut()
    },
    admit: () => void (isRefusing = false),
    redirect: (port) => void (target = port),
    async close() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}
