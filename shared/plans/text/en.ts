// Texts of payment plans and their images; texts of the specification are verbatim.
import { texts } from '#shared/text/texts.ts'

export const planText = texts('plans', {
  fillAll: 'All fields are required',
  pricePositive: 'Price must be greater than 0',
  priceStep: 'Price must have at most two decimals and be at most 10,000,000',
  monthsPositive: 'Duration must be greater than 0 months',
  monthsRange: 'Duration must be a whole number from 1 to 120 months',
  networkMissing: 'Choose the network of this address',
  networkCryptoOnly: 'Only a crypto plan has a network',
  addressMissing: 'Enter the address on this network',
  addressInvalid: 'This is not an address of the chosen network',
  months: (months: number) => `${months} ${months === 1 ? 'month' : 'months'}`,
  loadFailed: 'Error fetching payment data',
})
