/** @jsxImportSource react */

import { renderToString } from 'react-dom/server.browser'
import { Basket, givenIn } from './component.tsx'

export function render(query: URLSearchParams): string {
  return renderToString(<Basket {...givenIn(query)} />)
}
