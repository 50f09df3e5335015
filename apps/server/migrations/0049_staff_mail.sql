-- What support does may send letters and queue jobs, in its own transaction.
grant insert, select (id) on mail to pillar_staff;
