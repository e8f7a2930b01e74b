/** @jsxImportSource react */

import { hydrateRoot } from 'react-dom/client'

import { Basket } from './component.tsx'

function hydrate() {
  const page = document.querySelector('#page')
  if (page) {
    hydrateRoot(page, <Basket />)
  }
}

if (location.search === '?waits') {
  addEventListener('hydrate', hydrate, { once: true })
} else {
  hydrate()
}
