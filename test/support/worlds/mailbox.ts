import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'

import { newFolder } from '../folder.ts'

import type { AddressInfo } from 'node:net'
import type { SMTPServerOptions } from 'smtp-server'

export interface Mail {
  from: string
  to: string[]
  subject: string
  messageId: string
  text: string
  isEncrypted: boolean
}

interface MailboxOptions {
  /** `smtps`: TLS from the beginning. `starttls`: the server offers it. Default: no TLS. */
  tls?: 'smtps' | 'starttls'
  /** The password of the user `seller`, without which nothing is taken. Default: none is wanted. */
  password?: string
  /** Addresses that the server refuses, as senders and as recipients. */
  refused?: readonly string[]
  /** Refuses so many messages before it takes one. */
  busy?: number
  /** Where the server says nothing any more: before its greeting, or when it has a whole message. */
  silentAt?: 'greeting' | 'message'
}

export type Mailbox = Awaited<ReturnType<typeof openMailbox>>

/** A real SMTP server on loopback, which keeps what it is sent. */
export async function openMailbox({ tls, password, refused = [], busy = 0, silentAt }: MailboxOptions = {}) {
  const mails: Mail[] = []
  const logins: string[] = []
  let refusals = busy
  const certificate = tls ? createCertificate() : null

  const refuse = (address: string): Error | null =>
    refused.includes(address)
      ? Object.assign(new Error(`No mailbox ${address}`), { responseCode: 550 })
      : null

  const options: SMTPServerOptions = {
    secure: tls === 'smtps',
    ...certificate?.pair,
    authOptional: password === undefined,
    disabledCommands: [
      ...(tls === 'starttls' ? [] : ['STARTTLS']),
      ...(password === undefined ? ['AUTH'] : []),
    ],
    allowInsecureAuth: true,
    onAuth: (auth, _, callback) => {
      logins.push(`${auth.username}:${auth.password}`)
      const isRight = auth.username === 'seller' && auth.password === password
      callback(isRight ? null : new Error(`Wrong ${auth.password}`), isRight ? { user: 'seller' } : {})
    },
    onConnect: (_, callback) => {
      if (silentAt !== 'greeting') {
        callback()
      }
    },
    onMailFrom: ({ address }, _, callback) => callback(refuse(address)),
    onRcptTo: ({ address }, _, callback) => callback(refuse(address)),
    onData: (stream, { envelope, secure }, callback) => {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => void pieces.push(piece))
      stream.once('end', () => {
        if (refusals > 0) {
          refusals -= 1
          callback(Object.assign(new Error('Try again later'), { responseCode: 451 }))
          return
        }

        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const to = envelope.rcptTo.map(({ address }) => address)
        mails.push({ from, to, ...readMail(Buffer.concat(pieces).toString()), isEncrypted: secure })
        if (silentAt !== 'message') {
          callback()
        }
      })
    },
  }
  const server = new SMTPServer(options)
  // A client that refuses the certificate ends the connection.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const scheme = tls === 'smtps' ? 'smtps' : 'smtp'

  return {
    mails,
    logins,
    port,
    /** The number of open connections. */
    connections: () => server.connections.size,
    /** The file of the certificate, for NODE_EXTRA_CA_CERTS. */
    authority: certificate?.path ?? '',
    url: (login = password === undefined ? '' : `seller:${encodeURIComponent(password)}@`) =>
      `${scheme}://${login}127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

function createCertificate() {
  const folder = newFolder()
  const keyPath = join(folder, 'key.pem')
  const path = join(folder, 'certificate.pem')
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  execFileSync('openssl', ['req', ...kind, ...names, '-keyout', keyPath, '-out', path], { stdio: 'ignore' })
  return { path, pair: { key: readFileSync(keyPath), cert: readFileSync(path) } }
}

/** Reads a message of one part, which is text. */
function readMail(raw: string): Pick<Mail, 'subject' | 'messageId' | 'text'> {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, ' ')
  const headerOf = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1] ?? ''
  const body = rest.join('\r\n\r\n').replaceAll('\r\n', '\n').trimEnd()
  const encoding = headerOf('content-transfer-encoding')
  return {
    subject: decodedWords(headerOf('subject')),
    messageId: headerOf('message-id'),
    text: encoding === 'base64' ? Buffer.from(body, 'base64').toString() : unquoted(body, encoding),
  }
}

function unquoted(body: string, encoding: string): string {
  return encoding === 'quoted-printable' ? decodedBytes(body.replaceAll('=\n', '')) : body
}

function decodedWords(header: string): string {
  return header
    .replaceAll(/\?= =\?UTF-8\?Q\?/gi, '')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, words: string) => decodedBytes(words.replaceAll('_', ' ')))
}

function decodedBytes(quoted: string): string {
  return decodeURIComponent(quoted.replaceAll('%', '%25').replaceAll(/=([\dA-F]{2})/g, '%$1'))
}
