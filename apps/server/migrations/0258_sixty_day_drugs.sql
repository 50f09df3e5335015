-- Whether a drug is an item for 60 days only, by the list of its last upload: where nothing else says how long a supply lasts, it lasts 60 days.
alter table drug add column sixty_day boolean not null default false;
