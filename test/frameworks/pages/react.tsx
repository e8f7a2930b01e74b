/** @jsxImportSource react */

import 'gateway-checkout/define'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { basket } from './basket.ts'
import type {} from 'gateway-checkout/react'

function Basket() {
  const [thanks, setThanks] = useState('')

  return (
    <>
      <gateway-checkout
        {...basket}
        payer-name="Asha Mwangi"
        payer-email="asha@example.com"
        payer-msisdn="+254700000001"
        launch="popup"
        oncheckout-paid={({ detail }) => setThanks(`Thank you for ${detail.order}`)}
      >
        <p>Pay at the counter.</p>
      </gateway-checkout>
      <output>{thanks}</output>
    </>
  )
}

const page = document.querySelector('#page')
if (page) createRoot(page).render(<Basket />)
