// The instrument list published by Zerodha.
import { describe, expect, it } from 'vitest'
import { readKiteInstruments } from './kite-feed.ts'

const header =
  'instrument_token,exchange_token,tradingsymbol,name,last_price,expiry,strike,tick_size,lot_size,instrument_type,segment,exchange'

describe('a list of instruments', () => {
  it.each(['', '<html></html>', '{"status":"error"}', 'instrument_token,tradingsymbol\n1,A'])('is rejected if invalid: %j', (text) => {
    expect(readKiteInstruments(text)).toBeNull()
  })

  it('maps exchange and symbol to tokens', () => {
    const csv = [
      header,
      '738561,2885,RELIANCE,"RELIANCE, INDUSTRIES ""LTD""",0,,0,0.1,1,EQ,NSE,NSE',
      '256265,1001,NIFTY 50,NIFTY 50,0,,0,0,0,EQ,INDICES,NSE',
      '128083204,500325,RELIANCE,RELIANCE INDUSTRIES,0,,0,0.05,1,EQ,BSE,BSE',
    ].join('\r\n')
    expect([...(readKiteInstruments(csv) ?? [])]).toEqual([
      ['NSE:RELIANCE', 738_561],
      ['NSE:NIFTY 50', 256_265],
      ['BSE:RELIANCE', 128_083_204],
    ])
  })

  it('finds columns by their headers when they move', () => {
    expect(readKiteInstruments('exchange,tradingsymbol,instrument_token\nNSE,TMPV,884737\n')?.get('NSE:TMPV')).toBe(884_737)
  })

  it.each(['abc', '-1', '1.5', '', '99999999999'])('skips a line whose token is %j', (token) => {
    const csv = `${header}\n${token},1,ODD,ODD,0,,0,0,0,EQ,NSE,NSE\n341249,1,FINE,FINE,0,,0,0,0,EQ,NSE,NSE\n`
    expect([...(readKiteInstruments(csv)?.keys() ?? [])]).toEqual(['NSE:FINE'])
  })
})
