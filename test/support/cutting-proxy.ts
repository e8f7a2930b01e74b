import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Socket, AddressInfo } from 'node:net'

export interface CuttingProxy {
  port: number
  /** Cuts each connection on which the client sends this text from now on; `null` ends this. */
  cutAt(sent: string | null): void
  refuse(): void
  admit(): void
  close(): Promise<void>
}

export async function startProxy(target: number): Promise<CuttingProxy> {
  const open = new Map<Socket, Socket>()
  let isRefusing = false
  let cutText: string | null = null
  const server = createServer((client) => {
    if (isRefusing) return void client.destroy()
    const other = connect(target, '127.0.0.1')
    open.set(client, other)
    client.on('data', (data) => {
      if (cutText !== null && data.toString('latin1').includes(cutText)) client.destroy()
      else other.write(data)
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
    for (const pair of open) for (const socket of pair) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cutAt: (sent) => void (cutText = sent),
    refuse() {
      isRefusing = true
      cut()
    },
    admit: () => void (isRefusing = false),
    async close() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}
