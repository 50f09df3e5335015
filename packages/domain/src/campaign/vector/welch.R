# Makes welch.json: Rscript welch.R > welch.json (R 4.2, nothing but base and stats).
# Two groups a case, from a formula, so that the test makes the same values by itself.
values <- function(n, mean, spread, step) mean + spread * sin(step * (1:n)) + spread / 3 * cos(1.3 * step * (1:n))
cases <- list(
  list(n = c(900, 100), mean = c(58.2, 52), spread = c(30, 20), step = c(0.7, 1.1)),
  list(n = c(100, 100), mean = c(40, 40), spread = c(25, 3), step = c(0.3, 0.9)),
  list(n = c(1366, 342), mean = c(61.4, 57.2), spread = c(38, 41), step = c(1.7, 0.6)),
  list(n = c(120, 2500), mean = c(-3.5, 8.25), spread = c(90, 12), step = c(2.3, 0.45))
)
number <- function(x) formatC(x, digits = 17, format = "g")
lines <- vapply(cases, function(one) {
  treated <- values(one$n[1], one$mean[1], one$spread[1], one$step[1])
  control <- values(one$n[2], one$mean[2], one$spread[2], one$step[2])
  found <- t.test(treated, control)
  sprintf('  { "n": [%d, %d], "mean": [%s, %s], "spread": [%s, %s], "step": [%s, %s], "df": %s, "estimate": %s, "low": %s, "high": %s }',
    one$n[1], one$n[2], one$mean[1], one$mean[2], one$spread[1], one$spread[2], one$step[1], one$step[2],
    number(found$parameter), number(mean(treated) - mean(control)), number(found$conf.int[1]), number(found$conf.int[2]))
}, "")
quantiles <- vapply(c(2, 3.5, 10, 99, 117.25, 1000, 250000), function(df) sprintf('  [%s, %s]', df, number(qt(0.975, df))), "")
cat('{ "welch": [\n', paste(lines, collapse = ",\n"), '\n], "t975": [\n', paste(quantiles, collapse = ",\n"), '\n] }\n', sep = "")
