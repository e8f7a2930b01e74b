export const basket = { order: 'order-1', server: 'https://pay.shop.test' }
