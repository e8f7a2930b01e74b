import 'gateway-checkout/define'
import { createApp } from 'vue'
import Basket from './Basket.vue'

createApp(Basket).mount('#page')
