// The page of the playground; its script is in `playground/`.

import { STATES } from './playground/states.ts'
import { THEMES } from './settings.ts'
import { Choice, documentOf, LANGUAGE_NAMES } from './storefront.tsx'

/** A page that shows every state of the element without a payment. */
export function renderPlayground({ bff }: { bff: string }) {
  const content = (
    <>
      <header>
        <h1>
          Every state of <code>&lt;gateway-checkout&gt;</code>
        </h1>
        <p class="quiet">
          This page answers the tag itself: no request is sent and nothing is paid. To pay with the sandbox,
          go to the shop.
        </p>
        <p class="links">
          <a href="/">The shop</a>
        </p>
      </header>
      <main>
        <form id="choices">
          <label>
            State
            <select name="situation">
              {Object.entries(STATES).map(([state, situations]) => (
                <optgroup label={state}>
                  {Object.keys(situations).map((name) => (
                    <option value={`${state}.${name}`}>
                      {state}: {name}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
          </label>
          <Choice name="lang" label="Language" from={LANGUAGE_NAMES} picked="en" />
          <Choice name="theme" label="Theme" from={THEMES} picked="auto" />
        </form>
        <div id="frame" class="card" />
        <section class="card" aria-labelledby="log-title">
          <h2 id="log-title">DOM events</h2>
          <ol id="log" class="log" aria-labelledby="log-title" />
        </section>
      </main>
    </>
  )
  return documentOf({
    title: 'Playground · gateway-checkout',
    style: 'playground',
    scripts: { own: 'playground', bff },
    content,
  })
}
