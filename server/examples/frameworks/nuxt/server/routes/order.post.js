// The order is made once, when the shopper presses the button, and never by rendering a page.
export default defineEventHandler((event) => sendRedirect(event, `/order/${createOrder()}`, 303))
