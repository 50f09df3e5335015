import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { describe, expect, it } from 'vitest'
import { emailTo, smsTo } from './contact.ts'

describe('contact details', () => {
  it('accept Australian mobiles in any notation, and nothing else', () => {
    for (const text of ['0412 645 678', '+61 412 645 678', '(04) 1264-5678', '61412645678', '+61 (0)412 645 678'])
      expect([text, smsTo(text, 'AU')]).toEqual([text, '+61412645678'])
    for (const text of [null, '', '03 9555 0100', '0412 345', 'none', '+44 7400 123456', '0550 123 456', '13 14 50'])
      expect([text, smsTo(text, 'AU')]).toEqual([text, null])
  })

  it('belong to nobody if words beside a number say that it is somebody else’s, or not for texts', () => {
    for (const text of ['m 0412 645 678', 'Mob: 0412 645 678', '0412 645 678 (mobile)', 'Mobile No. 0412 645 678'])
      expect([text, smsTo(text, 'AU')]).toEqual([text, '+61412645678'])
    for (const text of ['DO NOT TEXT 0412 645 678', 'mobile no sms 0412 645 678', '0412 645 678 (daughter)'])
      expect([text, smsTo(text, 'AU')]).toEqual([text, null])
    expect(smsTo('07400 123456 wife', 'GB')).toBeNull()
  })

  it('belong to nobody if a second number, perhaps somebody else’s, stands beside the first', () => {
    expect(smsTo('0412 645 678;', 'AU')).toBe('+61412645678')
    for (const between of [';', ' ; ', '/', ',', ' or ', ' ', '\n', '|'])
      for (const second of ['0412345679', '0395550100', '0412 345 679']) {
        const text = `0412 645 678${between}${second}`
        expect([text, smsTo(text, 'AU')]).toEqual([text, null])
      }
  })

  it('follow the numbering plan for every prefix of an Australian mobile', () => {
    for (let prefix = 4000; prefix < 5000; prefix++) {
      for (const rest of ['00001', '31415', '99990']) {
        const text = `0${prefix}${rest}`
        const number = parsePhoneNumberFromString(text, 'AU')
        const mobile = number?.isValid() && number.getType() === 'MOBILE'
        expect([text, smsTo(text, 'AU')]).toEqual([text, mobile ? `+61${text.slice(1)}` : null])
      }
    }
  })

  it('follow the numbering plans of Great Britain and the United States', () => {
    expect(smsTo('07400 123456', 'GB')).toBe('+447400123456')
    expect(smsTo('020 7946 0000', 'GB')).toBeNull()
    expect(smsTo('(201) 555-0123', 'US')).toBe('+12015550123')
    expect(smsTo('416-555-0199', 'US')).toBeNull()
  })

  it('that look made up are nobody’s: they may be a stranger’s', () => {
    const numbers = ['0400 000 000', '+61 499 999 999', '0411111111', '0412 345 678', '0433 333 333']
    for (const text of numbers) expect([text, smsTo(text, 'AU')]).toEqual([text, null])
    for (const text of ['07123 456789', '07777 777777', '07912 345678'])
      expect([text, smsTo(text, 'GB')]).toEqual([text, null])
    expect(smsTo('(212) 345-6789', 'US')).toBeNull()
    for (const text of ['0400 000 001', '0411 111 112', '0412 345 679'])
      expect([text, smsTo(text, 'AU')]).toEqual([text, `+61${text.replaceAll(' ', '').slice(1)}`])
    const made = ['none@none.com', 'NoEmail@mail.example', 'no-email@x.example', 'ana@noemail.example', 'test@test.com']
    for (const text of [...made, 'not.provided@x.example', 'no@no.com', 'noreply@x.example', 'na@na.com'])
      expect([text, emailTo(text)]).toEqual([text, null])
    for (const text of [
      'na@mail.example',
      'test@mail.example',
      'nona@mail.example',
      'nil22@mail.example',
      'ana@none-such.example',
      'ana@nona.example',
    ])
      expect([text, emailTo(text)]).toEqual([text, text])
  })

  it('accept one address in lower case', () => {
    expect(emailTo(' Ana.Diaz+x@Mail.Example ')).toBe('ana.diaz+x@mail.example')
    for (const text of [
      null,
      '',
      'ana',
      'ana@mail',
      'a b@mail.example',
      'a@b.c',
      'a@x.example, b@x.example',
      '.a@x.example',
    ])
      expect([text, emailTo(text)]).toEqual([text, null])
  })
})
