import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installWithApt, onPath } from './debian.ts'
import { freePort } from './free-port.ts'
import { startServer } from './server-process.ts'

export interface Pooler {
  port: number
  stop(): Promise<void>
}

export async function startPooler(serverPort: number): Promise<Pooler> {
  if (!onPath('pgbouncer')) installWithApt(['pgbouncer'])
  const command = onPath('pgbouncer')
  if (!command) throw new Error('PgBouncer is missing: run apt-get install pgbouncer as root.')
  const folder = mkdtempSync(join(tmpdir(), 'gateway-checkout-pooler-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${serverPort} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
  ]
  writeFileSync(join(folder, 'pgbouncer.ini'), settings.join('\n'))
  const pooler = await startServer(command, [join(folder, 'pgbouncer.ini')], {
    ready: 'process up',
    stop: 'TERM',
  })
  return {
    port,
    async stop() {
      await pooler.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
