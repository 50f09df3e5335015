-- A target can be set for gross profit too.
alter table target drop constraint target_figure_check;
alter table target add constraint target_figure_check
  check (figure in ('revenue', 'gross_profit', 'scripts', 'adherent_share', 'loyalty'));
