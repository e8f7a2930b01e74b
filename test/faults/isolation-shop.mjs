// A worker thread with the merchant's backend, and with a gateway in which every checkout is paid at once. The beginning
// of an order's reference says what the backend does with the order.
import { createServer } from 'node:http'
import { parentPort } from 'node:worker_threads'

const SLOW_MS = 3_000

const TREATMENTS = {
  refused: (response) => response.writeHead(500).end(),
  endless(response) {
    const more = () => {
      while (!response.destroyed && response.write('-'.repeat(16_000)));
    }
    response.writeHead(200).on('drain', more)
    more()
  },
  dripping(response) {
    response.writeHead(200)
    const timer = setInterval(() => response.write('-'), 100)
    response.on('close', () => clearInterval(timer))
  },
  hanging() {},
}
const treatmentOf = (order) => TREATMENTS[order.split('-')[0]]

async function read(request) {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

const answer = (response, body) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

async function receive(request, response) {
  const text = await read(request)
  if (request.method === 'GET') {
    const order = request.url.split('/').at(-1)
    const found = { order, amount: '500', currency: 'KES', narration: 'Two kangas' }
    return void setTimeout(() => answer(response, found), order.startsWith('slow') ? SLOW_MS : 0)
  }
  const { timestamp, data } = JSON.parse(text)
  const treat = treatmentOf(data.order)
  if (treat) return treat(response)
  parentPort.postMessage({ order: data.order, ms: Date.now() - Date.parse(timestamp) })
  response.writeHead(204).end()
}

const requests = new Map()

async function serve(request, response) {
  const text = await read(request)
  const { pathname } = new URL(request.url, 'http://127.0.0.1')
  if (pathname === '/v1/auth') return answer(response, { access_token: 'a-token', expiresIn: 3_600 })
  if (request.method === 'GET') return answer(response, paid(requests.get(pathname.split('/').at(-1))))
  const asked = JSON.parse(text)
  const { merchant_transaction_id, amount, callback_url } = asked
  requests.set(merchant_transaction_id, asked)
  answer(response, {
    merchant_transaction_id,
    checkout_reference: merchant_transaction_id,
    currency: 'KES',
    amount,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    redirect_url: `http://127.0.0.1:${gateway.address().port}/pay`,
  })
  setTimeout(() => void fetch(callback_url, { method: 'POST', body: '{}' }).catch(() => {}), 100)
}

function paid({ merchant_transaction_id, amount, narration, service_code, account_number, payer_msisdn }) {
  const timestamp = new Date().toISOString()
  const payment = {
    event: 'successful_payment',
    amount: `${amount}.00`,
    client_code: 'C-1',
    country_code: 'KE',
    payer_msisdn,
    payment_date: timestamp,
    service_code,
    currency_code: 'KES',
    account_number,
    payment_status: 700,
    transaction_id: merchant_transaction_id,
    external_reference: merchant_transaction_id,
    payment_method_code: 'MOMO_KEN',
  }
  return {
    amount: String(amount),
    checkout_reference: merchant_transaction_id,
    currency: 'KES',
    merchant_transaction_id,
    narration,
    payments: [payment],
    status: 801,
    timestamp,
  }
}

const backend = createServer((request, response) => void receive(request, response))
const gateway = createServer((request, response) => void serve(request, response))
const listen = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
await Promise.all([listen(backend), listen(gateway)])
parentPort.postMessage({ backend: backend.address().port, gateway: gateway.address().port })
