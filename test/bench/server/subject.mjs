// Runs one measured server in a process of its own: `node subject.mjs NAME OPTIONS`. OPTIONS is JSON. The process sends
// its URL to its parent, and ends with the parent.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'

const JSON_TYPE = { 'content-type': 'application/json' }

const CREATE = 'CREATE TABLE checkouts (id text PRIMARY KEY, sent text NOT NULL, answer text)'
const INSERT = 'INSERT INTO checkouts (id, sent) VALUES ($1, $2)'
const UPDATE = 'UPDATE checkouts SET answer = $1 WHERE id = $2'

const SUBJECTS = {
  /**
   * Commits, asks the gateway over pooled connections, commits, and passes the answer on. The store is one table with one
   * key, on the driver of the measured server and as durable.
   */
  async durable({ gatewayUrl, storeUrl }) {
    const { Pool } = await import('undici')
    const pool = new Pool(gatewayUrl, { connections: 64 })
    const store = await (storeUrl.startsWith('postgres') ? onPostgres(storeUrl) : onSqlite(storeUrl))
    return new Hono().post('/checkout/initiate', async (c) => {
      const { order } = await c.req.json()
      const id = randomUUID()
      const asked = {
        merchant_transaction_id: id,
        amount: 1500,
        payer_name: 'Asha Otieno',
        payer_email: 'asha@example.com',
        payer_msisdn: '254700000001',
        service_code: 'CHECKOUT-KES',
        account_number: 'ACC-001',
        expires_in: 30,
        narration: order,
        callback_url: 'http://127.0.0.1:4020/callbacks/checkout/token',
        redirect_url: 'http://127.0.0.1:4020/checkout/return/id',
      }
      const sent = JSON.stringify(asked)
      await store.insert(id, sent)

      const path = '/v2/checkout/initiate'
      const { body } = await pool.request({ method: 'POST', path, headers: JSON_TYPE, body: sent })
      const answer = await body.text()
      await store.update(id, answer)
      return c.body(answer, 201, JSON_TYPE)
    })
  },

  /** Answers every GET with the same text. */
  constant: ({ text }) => new Hono().get('*', (c) => c.body(text, 200, JSON_TYPE)),

  async ours({ gatewayUrl, storeUrl, env }) {
    const { createApp, openStore, readConfig } = await import('../../../server/dist/index.js')
    const config = readConfig({
      GATEWAY_ENVIRONMENT: 'sandbox',
      GATEWAY_BASE_URL: gatewayUrl,
      GATEWAY_CONSUMER_KEY: 'key',
      GATEWAY_CONSUMER_SECRET: 'secret',
      GATEWAY_SERVICE_CODE: 'CHECKOUT-KES',
      GATEWAY_ACCOUNT_NUMBER: 'ACC-001',
      GATEWAY_PAGE_HOSTS: '127.0.0.1',
      PUBLIC_URL: 'http://127.0.0.1:4020',
      CALLBACK_SECRET: 'the callback secret of the benchmark',
      STORE_URL: storeUrl,
      TRUSTED_PROXIES: '127.0.0.1',
      ...env,
    })
    const orders = (order) => ({ order, amount: '1500', currency: 'KES', narration: 'Two kangas' })
    const app = createApp({ config, store: openStore(storeUrl), orders })
    void app.work(new AbortController().signal)
    return app
  },
}

/** The writes of one turn of the event loop share a commit. */
function onSqlite(storeUrl) {
  const sqlite =
    process.getBuiltinModule('node:sqlite') ?? createRequire(import.meta.url)('@photostructure/sqlite')
  const database = new sqlite.DatabaseSync(storeUrl.slice('sqlite:'.length))
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec(CREATE)
  const statementOf = (text) => database.prepare(text.replaceAll(/\$\d/g, '?'))
  const begin = statementOf('BEGIN IMMEDIATE')
  const commit = statementOf('COMMIT')
  const insert = statementOf(INSERT)
  const update = statementOf(UPDATE)
  let writes = []

  const write = (run) =>
    new Promise((resolve) => {
      writes.push({ run, resolve })
      if (writes.length === 1) {
        setImmediate(flush)
      }
    })

  return {
    insert: (id, sent) => write(() => insert.run(id, sent)),
    update: (id, answer) => write(() => update.run(answer, id)),
  }

  function flush() {
    const group = writes
    writes = []
    begin.run()
    for (const { run } of group) {
      run()
    }

    commit.run()
    for (const { resolve } of group) {
      resolve()
    }
  }
}

/** Each write is a commit. Postgres writes those of one moment to the disk together. */
async function onPostgres(storeUrl) {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString: storeUrl, max: 10 })
  await pool.query(CREATE)
  return {
    insert: (id, sent) => pool.query({ name: 'insert', text: INSERT, values: [id, sent] }),
    update: (id, answer) => pool.query({ name: 'update', text: UPDATE, values: [answer, id] }),
  }
}

const [, , name, options] = process.argv
const app = await SUBJECTS[name](JSON.parse(options))
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  process.send(`http://127.0.0.1:${port}`),
)
process.on('disconnect', () => process.exit())
