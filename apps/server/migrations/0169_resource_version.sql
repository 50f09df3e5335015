-- When a row of a source with versions (FHIR) was last changed there: an older version that arrives later must not replace it.
create table resource_version (
  location_id bigint not null,
  source text not null,
  upload_set text not null,
  source_id text not null,
  version timestamptz not null,
  primary key (location_id, source, upload_set, source_id)
);
select pillar_protect('resource_version', 'location');
grant select, insert, update, delete on resource_version to pillar_app;
