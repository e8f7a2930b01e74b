/** @jsxImportSource react */

import { hydrateRoot } from 'react-dom/client'
import { Basket, givenIn } from './component.tsx'

const query = new URLSearchParams(location.search)

function hydrate() {
  const page = document.querySelector('#page')
  if (page) hydrateRoot(page, <Basket {...givenIn(query)} />)
}

if (query.has('waits')) addEventListener('hydrate', hydrate, { once: true })
else hydrate()
