-- Few scripts are owing or promised: those are counted by day after every upload, without reading all the others.
create index script_owed on script (location_id) where owing or deferred;
