-- What a gateway told, whole and sealed, until it is processed, and of what could not be used; payload then holds what names nobody.
alter table gateway_event add column payload_sealed bytea;
