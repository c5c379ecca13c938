-- Where buyers of the crypto plan send USDT: the network and the address, beside what the QR code says. Both or neither.
alter table plans add column network text check (network in ('trc20', 'bep20', 'erc20', 'polygon', 'binance-pay'));
alter table plans add column address text;
alter table plans add constraint plans_network_and_address check ((network is null) = (address is null) and (network is null or type = 'crypto'));
