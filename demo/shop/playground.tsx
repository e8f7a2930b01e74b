import { html } from 'hono/html'
import type { PropsWithChildren } from 'hono/jsx'
import { LANGUAGE_NAMES } from './languages.ts'
import { ATTRIBUTES, LOOK, PROPERTIES, SLOTS } from './playground/controls.ts'
import type { Control } from './playground/controls.ts'
import { STATES } from './playground/states.ts'
import { scriptAddress } from './snippets.ts'

interface PlaygroundProps {
  bff: string
  order: string
}

export function playground(props: PlaygroundProps) {
  return html`<!doctype html>${<Page {...props} />}`
}

export function paymentPage() {
  return html`<!doctype html>${(
      <Document title="A payment page">
        <main class="away">
          <h1>Here the gateway would take the payment</h1>
          <p>The playground takes no payment. Close this window, or go back.</p>
          <p>
            <a href="/playground">The playground</a>
          </p>
        </main>
      </Document>
    )}`
}

function Document({
  title,
  scripts = [],
  children,
}: PropsWithChildren<{ title: string; scripts?: string[] }>) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/assets/playground.css" />
        {scripts.map((address) => (
          <script type="module" src={address} />
        ))}
      </head>
      <body>{children}</body>
    </html>
  )
}

const LANGUAGES = { '': 'The page’s', ...LANGUAGE_NAMES, 'sw-TZ': 'Kiswahili, Tanzania' }

function Page({ bff, order }: PlaygroundProps) {
  const initial = { order, server: bff }
  return (
    <Document title="Playground · gateway-checkout" scripts={[scriptAddress(bff), '/assets/playground.js']}>
      <form id="settings" />
      <header>
        <h1>
          Playground <code>&lt;gateway-checkout&gt;</code>
        </h1>
        <p class="quiet">
          Every state, played by this page instead of a payment server: no request is sent and nothing is
          paid. The URL keeps what you pick. To pay with the sandbox, go to <a href="/">the shop</a>.
        </p>
      </header>
      <main>
        <States />
        <section class="stage" aria-labelledby="stage-title">
          <h2 id="stage-title" class="unseen">
            The tag
          </h2>
          <Ways />
          <p id="tells" class="quiet" role="status" />
          <form id="frame" class="frame">
            <p class="quiet">
              The tag’s script has not come yet from <code>{scriptAddress(bff)}</code>
              <noscript>, and none runs here</noscript>.
            </p>
          </form>
          <div class="row">
            {LOOK.map((control) => (
              <Field {...control} {...(control.name === 'lang' ? { offers: LANGUAGES } : {})} />
            ))}
          </div>
          <Facts />
        </section>
        <section class="card" aria-labelledby="log-title">
          <h2 id="log-title">Events and requests</h2>
          <p class="quiet">DOM events and the tag's requests, the latest first.</p>
          <ol id="log" class="log" aria-labelledby="log-title" />
        </section>
        <Attributes initial={initial} />
        <Snippet bff={bff} />
      </main>
      <details id="all">
        <summary>All states</summary>
        <p class="quiet">Every state in the language, theme and style that are picked above.</p>
        <div id="gallery" />
      </details>
    </Document>
  )
}

function States() {
  return (
    <fieldset class="states">
      <legend>State</legend>
      {Object.entries(STATES).map(([state, ways]) => (
        <label class="chip" data-state={state}>
          <input
            type="radio"
            name="state"
            value={`${state}.${Object.keys(ways)[0]}`}
            checked={state === 'idle'}
          />
          <span>{state}</span>
        </label>
      ))}
    </fieldset>
  )
}

// The script shows only the situations of the selected state.
function Ways() {
  return Object.entries(STATES).map(([state, ways]) => (
    <fieldset class="ways" data-state={state} hidden>
      <legend class="unseen">Ways to be {state}</legend>
      {Object.entries(ways).map(([name, { label }]) => (
        <label class="chip">
          <input
            type="radio"
            form="settings"
            name="situation"
            value={`${state}.${name}`}
            checked={name === 'ready'}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  ))
}

const FACTS = { state: 'state', checkout: 'checkout', value: 'value in its form', valid: 'valid in its form' }

function Facts() {
  return (
    <dl class="facts">
      {Object.entries(FACTS).map(([name, words]) => (
        <div>
          <dt>{words}</dt>
          <dd id={`fact-${name}`} />
        </div>
      ))}
    </dl>
  )
}

function Attributes({ initial }: { initial: Record<string, string> }) {
  return (
    <section class="says card" aria-labelledby="attributes-title">
      <h2 id="attributes-title">Settings</h2>
      {ATTRIBUTES.map(({ title, controls, isOpen = false }) => (
        <Fold title={title} isOpen={isOpen}>
          {controls.map((control) => (
            <Field {...control} initial={initial[control.name] ?? control.initial ?? ''} />
          ))}
        </Fold>
      ))}
      <Fold title="Slots">
        {SLOTS.map((control) => (
          <Field {...control} />
        ))}
      </Fold>
      <Fold title="Custom properties">
        {PROPERTIES.map((control) => (
          <Field {...control} />
        ))}
      </Fold>
    </section>
  )
}

function Fold({ title, isOpen = false, children }: PropsWithChildren<{ title: string; isOpen?: boolean }>) {
  return (
    <details class="fold" open={isOpen}>
      <summary>{title}</summary>
      <div class="fields">{children}</div>
    </details>
  )
}

function Field({ name, label, initial = '', example = '', offers, isFlag }: Control) {
  if (isFlag) {
    return (
      <label class="flag">
        <input type="checkbox" form="settings" name={name} /> {label}
      </label>
    )
  }
  return (
    <label class="field">
      <span>{label}</span>
      {offers ? (
        <select form="settings" name={name}>
          {Object.entries(offers).map(([value, words]) => (
            <option value={value}>{words}</option>
          ))}
        </select>
      ) : (
        <input
          form="settings"
          name={name}
          value={initial}
          placeholder={example}
          autocomplete="off"
          spellcheck={false}
        />
      )}
    </label>
  )
}

function Snippet({ bff }: { bff: string }) {
  return (
    <section class="card snippet" aria-labelledby="snippet-title">
      <div class="heading">
        <h2 id="snippet-title">Code</h2>
        <button type="button" id="copy" hidden>
          Copy
        </button>
      </div>
      <fieldset class="ways">
        <legend class="unseen">For a page in</legend>
        {Object.entries({ html: 'HTML', react: 'React', vue: 'Vue' }).map(([value, words]) => (
          <label class="chip">
            <input type="radio" form="settings" name="snippet" value={value} checked={value === 'html'} />
            <span>{words}</span>
          </label>
        ))}
      </fieldset>
      <pre tabindex={0} aria-labelledby="snippet-title">
        <code id="snippet" data-bff={bff} />
      </pre>
    </section>
  )
}
